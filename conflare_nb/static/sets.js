var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids),section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h(
"div",{class:"cfx-heading",role:"heading","aria-level":3},words);var card=(answers,...kids)=>h("li",{class:answers?"cfx-chunk cfx-answers":"cfx-chunk"},...kids),folded=(number,where,more,...kids)=>h(
"details",{},h("summary",{},span("rank",number),span("where",where),...more),...kids),newId=()=>"cfx"+Math.random().toString(
36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===1?"":"s"}`,keeper=model=>(name,value)=>{
model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)model.on("change:"+name,
draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before2,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before2,under]=[step*p+before2,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function ranked(alpha,r){let[
p,q]=exactParts(alpha);return Math.ceil(r*q/p)-1}var fewest=alpha=>ranked(alpha,1);function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.
exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(
alpha);return q===1e9?String(p/q):`${p}/${q}`}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`;var cut=words=>words.length>90?words.slice(0,89)+"…":words;function questionChoice(texts,id){let several=texts.length>1,options=texts.map((text2,i)=>h("option",{value:i},cut(text2))),
choice=h("select",{id:id+"q",hidden:!several},...options),label=several?h("label",{for:id+"q"},"Question"):h("b",{},"Que\
stion"),words=paragraph("saved");function show(i){choice.value=i,words.textContent=texts[i],words.hidden=several&&cut(texts[i])===
texts[i]}return{choice,parts:[label,choice,words],show}}function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decimal"}:{type:"\
number",min:0,max:1,step},read=level?levelOf:text2=>text2?+text2:NaN,slider=h("input",{type:"range",id,...range}),number=h(
"input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),` ${words}`),
sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute(
"aria-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2);
let[now,text2]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.value=text2),invalid(
!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.value))),number.addEventListener("input",()=>{
let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider,number,parts:[label,number,slider,sides],
stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),alphaDial=(id,more,fits,words="the share \
of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,"more misses"],range:small(about),fits,level:!0}),
note=words=>paragraph("note",words),summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span(
"key",h("i",{class:"cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids),row=(name,...cells)=>h("tr",{},h("\
th",{scope:"row"},name),...cells.map(cell=>h("td",{},cell)));function table(names,rows){let heads=names.map(name=>h("th",
{scope:"col"},name));return h("table",{},h("thead",{},h("tr",{},...heads)),rows)}function ticks(lo,hi,most){let step=[.01,
.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??hi,out=[];for(let i=Math.ceil(lo/step-1e-9);i*
step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}var scale=(lo,hi,from,to)=>x=>from+(to-from)*(x-lo)/(hi-lo),box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(1)}v${-up.
toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`,path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more}),reach=(x,y,width,height)=>svg(
"rect",{class:"cfx-reach",x,y,width:Math.max(0,width),height:Math.max(0,height)}),middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg(
"text",{x,y,...more},words),before=(x,y,words)=>text(x,y,words,{"text-anchor":"end"}),named=(x,y,words,left)=>text(x+(left?
-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"end":"start"}),gridLine=(left,right,y,words)=>[path("grid",`M${left}\
 ${y}H${right}`),before(left-5,y+4,words)];function hatching(id){return svg("defs",{},svg("pattern",{id,width:5,height:5,patternUnits:"userSpaceOnUse",patternTransform:"\
rotate(45)"},svg("rect",{class:"cfx-hatch",width:2.6,height:5})))}var hatched=id=>({fill:`url(#${id})`}),bars=({within,beyond},id)=>[
path("within",within),path("beyond",beyond,hatched(id))];function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function split(n,alpha,share){let budget=n+1-rank(n,alpha),rounded=Math.floor(share*budget+.5),own=budget>1&&share>0&&share<
1?Math.min(Math.max(rounded,1),budget-1):rounded;return[own,budget-own]}var tauOf=(view,m)=>(m?view.taus[view.n-m]:null)??
1/0,countOf=(view,m)=>m?view.counts[view.n-m]:0;function means(view,mRet,mQa){if(!view.tested)return null;let sums=view.
sums[mRet][countOf(view,mQa)];return Object.fromEntries(sums.map((sum,i)=>[view.measures[i],sum/view.tested]))}var leader=({
said})=>said[0][0];function merged(found,k){let times=new Map,leaders=new Map;for(let{cluster}of found){leaders.has(cluster.
wording)||leaders.set(cluster.wording,leader(cluster));for(let[words,n]of cluster.said)times.set(words,(times.get(words)??
0)+n)}let said=[...times],count2=Math.max(...found.map(f=>f.cluster.count));return{text:[...leaders.values()].join(" · "),
count:count2,share:count2/k,said,p:Math.max(...found.map(f=>f.p)),passages:[...new Set(found.map(f=>f.i))],right:found.some(
f=>f.cluster.right)}}function byMeaning(n,asked,[mRet,mQa]){let weighed=(rank2,m)=>m?rank2/(n+1)*((mRet/(n+1)+mQa/(n+1))/
(m/(n+1))):1,groups=new Map;return asked.forEach((passage,i)=>{for(let cluster of passage.clusters){if(cluster.rank<=mQa)
continue;let p=Math.min(weighed(passage.rank,mRet),weighed(cluster.rank,mQa),1);groups.set(cluster.meaning,[...groups.get(
cluster.meaning)??[],{cluster,i,p}])}}),[...groups.values()]}function at(view,i,alpha,share){let ranks=split(view.n,alpha,
share),[mRet,mQa]=ranks,tau=tauOf(view,mRet),count2=countOf(view,mQa),asked=view.questions[i].passages.filter(passage=>passage.
rank>mRet),answers=byMeaning(view.n,asked,ranks).map(found=>merged(found,view.k));return{ranks,tau,count:count2,asked:asked.
length,answers:answers.sort((a,b)=>b.p-a.p),expected:means(view,mRet,mQa),unbounded:!mRet||!mQa||tau===1/0||count2===0&&
asked.length>0}}function whyUnbounded(view,alpha,share,{ranks,tau,count:samples}){if(share===0||share===1)return"All of \
alpha is spent on one step, so the other has no threshold.";let n=many(view.n,"question");if(!ranks[0]||!ranks[1]){let few=Math.
max(fewest(share*alpha),fewest((1-share)*alpha));return`${n} ${view.n===1?"is":"are"} too few for this alpha and this sh\
are; about ${count(few)} are needed.`}let of=lost=>`For ${lost.length} of ${many(view.n,"calibration question")}`,pool=`${of(
view.taus.filter(tau2=>tau2==null))}, the right passage was not in the pool, so the set also includes whatever passages \
outside the pool would give.`,never=`${of(view.counts.filter(count2=>!count2))}, none of the sampled answers was right, \
so the set also includes answers that were never sampled.`;return[tau===1/0?pool:"",samples===0?never:""].join(" ").trim()}
var kOfN=({n},m)=>`k = ${n+1-m} of n = ${n}`.replaceAll(" "," ");function tauWords(view,{tau,ranks}){return`${tau<1/0?`\
score ≤ tau = ${tau.toFixed(4)}`:"tau is infinite"} (${kOfN(view,ranks[0])})`}function countWords(view,{count:count2,ranks}){
return`${count2?`at least ${count2} of ${view.k} samples`:"no threshold"} (${kOfN(view,ranks[1])})`}function guaranteed(view,alpha,share,shown){
return shown.unbounded?`${whyUnbounded(view,alpha,share,shown)} The list shows only what was sampled.`:`For at least ${percent(
1-alpha)} of questions like the calibration questions, a right answer is in the set, or the set is everything, on averag\
e over calibration sets.`}var askedOf=({asked},{passages})=>`${asked} of ${many(passages.length,"passage")}`,misses=({known},{
unbounded,answers})=>!unbounded&&(!answers.length||known&&!answers.some(({right})=>right));function summarise(view,question,shown,alpha){
if(shown.unbounded)return"The set is everything.";let asked=askedOf(shown,question),said=`${many(shown.answers.length,"a\
nswer")}. The model is asked about ${asked}, ${count(view.k)} times each.`;return misses(question,shown)?`Missed: one of\
 the ${percent(alpha)} that you allow. ${said}`:said}function titleOf(question,shown){let size=`${many(shown.answers.length,
"answer")} from ${askedOf(shown,question)}`;return shown.unbounded?`Everything is in the set; sampled: ${size}`:`${size}\
 in the set`}function emptyWords({asked}){return`The set is empty: ${asked?"no answer was sampled often enough":"no pass\
age is within the threshold"}.`}function aboutPlane(view,{ranks:[mRet,mQa],unbounded}){let about=`Each dot is one of ${many(
view.n,"calibration question")}. Across: the score of the passage that answers it. Up: how often the model gave the righ\
t answer. `;if(unbounded)return about;let inside=view.dots.filter(dot=>dot[2]>mRet&&dot[3]>mQa).length;return`${about}${inside}\
 of ${view.n} lie within both thresholds.`}function aboutTest({tested}){return`Means over ${many(tested,"test question")}\
, which took no part in calibration: distinct answers in the set, and passages that the model is asked about. The promis\
e is that a set holds a right answer or is everything. The chart shows every split of this alpha.`}function splitsLabel({
ranks:[mRet,mQa],expected}){return`Mean number of answers at each split of alpha. This one, ${mRet} ranks for retrieval \
and ${mQa} for the answers, has ${expected.rouge.toFixed(2)}.`}var disc=(x,y,r)=>`M${(x-r).toFixed(1)} ${y.toFixed(1)}a${r}\
 ${r} 0 1 0 ${2*r} 0a${r} ${r} 0 1 0 ${-2*r} 0`;function planeFrame(view,{passages},shown,W){let right=W-68,end=W-40,head=44,
base=200,scores=[...view.taus.filter(tau=>tau!=null),...passages.map(passage=>passage.score)],lo=scores.length?Math.min(
...scores):0,hi=Math.max(...scores,lo+.01),place=score=>58+(right-52-12)*(score-lo)/(hi-lo),X=score=>score==null?end:place(
score),Y=scale(0,view.k,base,head),x=shown.tau<1/0?X(shown.tau):W,y=shown.count?Y(shown.count-.5):base+6,wide=Math.max(6,
Math.min(18,.7*(right-52)/passages.length));return{left:52,right,end,head,base,lo,hi,X,Y,x,y,wide}}function dots(view,[mRet,
mQa],{X,Y}){let inside="",outside="";for(let[score,count2,rRet,rQa]of view.dots){let dot=disc(X(score),Y(count2),2.6);rRet>
mRet&&rQa>mQa?inside+=dot:outside+=dot}return[path("dot-out",outside),path("dot-in",inside)]}function passageBars({passages},[
mRet,mQa],{X,Y,head,base,wide}){let near="",far="",stays="",goes="",marks="";for(let passage of passages){let x=X(passage.
score),within=passage.rank>mRet,column=`M${x.toFixed(1)} ${head}V${base}`;within?near+=column:far+=column;for(let{count:count2,
rank:rank2,right}of passage.clusters){let bar=box(x-wide/2,Y(count2)+3,wide,6);within&&rank2>mQa?stays+=bar:goes+=bar,right&&
(marks+=`M${(x+wide/2+7).toFixed(1)} ${(Y(count2)-4).toFixed(1)}l-4.5 8h9z`)}}return[path("far",far),path("near",near),path(
"goes",goes),path("stays",stays),path("mark",marks)]}function passageNumbers({passages},mRet,{X,base}){let last=-9;return passages.
map((passage,i)=>{let x=X(passage.score);return x-last<18?null:(last=x,text(x,base+20,i+1,{...middle,class:passage.rank>
mRet?"cfx-qhat":""}))})}function plane(view,question,shown,W){let frame=planeFrame(view,question,shown,W),{left,right,end,
head,base,lo,hi,X,Y,x,y}=frame,{ranks,tau,count:count2}=shown,lost=view.taus.includes(null)||tau===1/0,least={class:"cfx\
-qhat cfx-halo","text-anchor":"end"};return[reach(left,head-6,x-left,y-head+6),...[.25,.5,.75,1].map(share=>path("grid",
`M${left} ${Y(share*view.k)}H${right}`)),...[0,.5,1].map(share=>before(left-6,Y(share*view.k)+4,percent(share))),path("a\
xis",`M${left} ${base}H${W}`),...dots(view,ranks,frame),...passageBars(question,ranks,frame),path("line",`M${x.toFixed(1)}\
 ${head-14}V${base+4}M${left} ${y.toFixed(1)}H${W}`),named(x,head-11,tau<1/0?`tau ${tau.toFixed(4)}`:"tau infinite",x>W*
.6),text(W,y-5,count2?`≥ ${count2}`:"all",least),...passageNumbers(question,ranks[0],frame),text(0,base+20,"passage",{
class:"cfx-small"}),...ticks(lo,hi,W<420?4:7).map(score=>text(X(score),base+39,short(score),middle)),lost?text(end,base+
39,"inf",middle):null,text((left+right)/2,258,"retrieval score",middle),text(0,12,"share of samples")].filter(Boolean)}function splitsFrame(all,W){
let bounded=all.filter(mean=>!mean.unbounded).map(mean=>mean.rouge),top=Math.max(1,...bounded)*1.15;return{left:30,head:28,
base:92,bounded,top,right:W,Y:scale(0,top,92,28),width:(W-30)/all.length}}function splitsColumns(all,{left,head,base,width,
Y}){let gap=Math.min(2,width/5),within="",beyond="";return all.forEach((mean,m)=>{let x=left+m*width+gap/2;mean.unbounded?
beyond+=box(x,base,width-gap,base-head):within+=box(x,base,width-gap,base-Y(mean.rouge))}),{within,beyond}}function rankNumbers(budget,{
left,right,base,width}){let y=base+16,first=text(left,y,0,{"text-anchor":"start"});if(!budget)return[first];let half=Math.
round(budget/2),last=before(right,y,budget);return half===budget?[first,last]:[first,text(left+(half+.5)*width,y,half,middle),
last]}function splitsChart(view,[mRet,mQa],W,id){let budget=mRet+mQa,all=Array.from({length:budget+1},(_,m)=>means(view,
m,budget-m)),frame=splitsFrame(all,W),{left,head,base,bounded,top,Y,width}=frame,{unbounded,rouge}=all[mRet],numbers=bounded.
length?ticks(0,top,4).filter(Boolean):[],x=left+(mRet+.5)*width;return[hatching(id),...numbers.flatMap(size=>gridLine(left,
W,Y(size),short(size))),...bars(splitsColumns(all,frame),id),path("axis",`M${left} ${base}H${W}`),path("line",`M${x.toFixed(
1)} ${head-12}V${base}`),named(x,head-10,unbounded?"everything":`${rouge.toFixed(2)} answers`,x>W*.6),...rankNumbers(budget,
frame),text((left+W)/2,124,`ranks spent on retrieval, of ${budget}`,middle)]}var yes=words=>span("yes",`✓ ${words}`),spoken=said=>said.
map(([words,times])=>`“${words}”${times>1?" ×"+times:""}`).join(", ");function answerItem({passages},answer,i){let title="\
share of samples in its largest cluster, and p-value (not the probability of being right)",numbers=`${percent(+answer.share.
toFixed(3))}  p ${answer.p.toFixed(3)}`,from=answer.passages.map(j=>`${j+1} · ${passages[j].id}`).join("; ");return card(
answer.right,folded(i+1,answer.text,[answer.right?yes("right"):null,h("span",{class:"cfx-num",title},numbers)],paragraph(
"id",`sampled: ${spoken(answer.said)}`)),hint(`from ${from}`))}function clusterRow({k},cluster){let{count:count2,said,right,
rank:rank2}=cluster,bar=h("span",{class:"cfx-bar",style:`--part: ${count2/k}`,role:"img"}),words=h("span",{},leader(cluster),
right?yes("right"):null),part=h("li",{class:"cfx-said",title:spoken(said)},words,span("num",`${count2} of ${k}`),bar);function mark(stays,rest){
part.classList.toggle("cfx-in",stays),part.classList.toggle("cfx-rest",rest),bar.setAttribute("aria-label",stays?"in the\
 set":"not in the set")}return{rank:rank2,part,mark}}function clusterList(view,passage,i){let rows=[...passage.clusters].
sort((a,b)=>b.count-a.count).map(cluster=>clusterRow(view,cluster)),attrs={class:"cfx-clusters","aria-label":`Answers fr\
om passage ${i+1}`},list=h("ol",attrs,...rows.map(row2=>row2.part)),more=paragraph("hint cfx-more-said"),none=`${passage.
abstained} of ${view.k} samples gave no answer.`,part=div("told",list,more,passage.abstained?hint(none):null);function show(within,mQa){
let out=rows.filter(row2=>row2.rank<=mQa),rest=out.length>4?out.slice(3):[];part.hidden=!within,rows.forEach(row2=>row2.
mark(row2.rank>mQa,rest.includes(row2))),more.hidden=!rest.length,more.textContent=`and ${rest.length} more below the th\
reshold`}return{part,show}}function passageItem(view,passage,i){let state=span("asked-now"),told=clusterList(view,passage,
i),title="retrieval score and p-value (not the probability that the passage answers)",numbers=`${passage.score.toFixed(4)}\
  p ${(passage.rank/(view.n+1)).toFixed(3)}`,rank2=`p = ${passage.rank}/${view.n+1}: the model is asked about it while r\
etrieval spends fewer than ${many(passage.rank,"rank")}`,item=card(passage.gold,folded(i+1,passage.id,[passage.gold?yes(
"answers"):null,state,h("span",{class:"cfx-num",title},numbers)],paragraph("id",rank2)),passage.text?paragraph("text",passage.
text):null,told.part);function show([mRet,mQa]){let within=passage.rank>mRet;item.classList.toggle("cfx-off",!within),state.
textContent=within?"asked":"not asked",told.show(within,mQa)}return{item,show}}function lists(){let title=heading(),pool=heading(),
union=h("ol",{class:"cfx-set","aria-label":"Answers in the set"}),list=h("ol",{class:"cfx-pool","aria-label":"Passages"}),
scroll=h("div",{class:"cfx-scroll",tabindex:0,role:"region","aria-label":"Answers and passages"},hint("Largest p-value f\
irst, with the share of samples. A p-value is not the probability of being right."),union,pool,list),items;function show(view,{
passages}){items=passages.map((passage,i)=>passageItem(view,passage,i)),list.replaceChildren(...items.map(({item})=>item)),
scroll.scrollTop=0}function paint(view,question,shown){let answers=shown.answers.map((answer,i)=>answerItem(question,answer,
i));title.textContent=titleOf(question,shown),union.replaceChildren(...answers.length?answers:[h("li",{},hint(emptyWords(
shown)))]),pool.textContent=`Asked about ${askedOf(shown,question)}: ${many(shown.asked*view.k,"sample")}`,items.forEach(
item=>item.show(shown.ranks)),list.style.setProperty("--cut",Math.max(0,shown.count-.5)/view.k)}return{part:h("section",
{class:"cfx-right"},h("div",{},title,scroll)),show,paint}}function measuresRow(name,{unbounded,requests,rouge,bounded}){
if(unbounded===1)return row(name,"all",requests.toFixed(2),"—","100%");let[right,all]=[bounded,unbounded].map(share=>percent(
+share.toFixed(3)));return row(name,rouge.toFixed(2),requests.toFixed(2),right,all)}function planeFigure(){let picture=svg(
"svg",{height:266,role:"img"}),about=hint(),right=key("mark","right answer"),colours=keys(key("dot","calibration questio\
n within both"),key("ring","outside"),key("stays","answer in the set"),key("goes","answer not in the set"),right);function paint(view,question,shown,label,W){
about.textContent=aboutPlane(view,shown),picture.setAttribute("aria-label",`${about.textContent} ${label}`),right.hidden=
!question.known,W&&picture.replaceChildren(...plane(view,question,shown,W))}return{part:section(heading("Both thresholds"),
about,picture,colours),paint,width:()=>picture.clientWidth}}function testFigure(id){let chart=svg("svg",{height:128,role:"\
img",class:"cfx-scores"}),rows=h("tbody"),tested=hint(),colours=keys(key("within","answers in the set"),key("beyond","th\
e set is everything")),names=["","answers","passages asked","right, and bounded","everything"],part=section(heading("On \
test questions"),tested,chart,colours,table(names,rows));function paint(view,alpha,shown,W){if(part.hidden=!view.tested,
!view.tested)return;let half=means(view,...split(view.n,alpha,.5));tested.textContent=aboutTest(view),rows.replaceChildren(
measuresRow("this split",shown.expected),measuresRow("half and half",half)),chart.setAttribute("aria-label",splitsLabel(
shown)),W&&chart.replaceChildren(...splitsChart(view,shown.ranks,W,id))}return{part,paint}}function questionBox({questions},id){
let{choice,parts,show:say}=questionChoice(questions.map(({text:text2})=>text2),id),known=hint();function show(question,i){
say(i),known.textContent=question.known?`Known answers: ${question.references.join("; ")}`:"The right answer is not know\
n."}return{choice,part:div("question",...parts,known),show}}function shareDial(id){let share=dial(id+"v",{name:"share",words:"\
of alpha for retrieval",ends:["more passages","more answers from each"],range:{min:0,step:1,"aria-describedby":id+"s"},step:.05,
fits:x=>x>=0&&x<=1,of:position=>position/share.slider.max});return share}function controls(view,id){let alpha=alphaDial(
id,"larger sets",x=>x>0&&x<=.5),share=shareDial(id),tau=paragraph("cut"),least=paragraph("cut"),summary=summaryOf(id),guarantee=hint(),
parts=[...alpha.parts,...share.parts,tau,least,summary,guarantee];function stand(now,{ranks:[mRet,mQa],answers}){let budget=mRet+
mQa,words=`${mRet} of ${many(budget,"rank")} for retrieval, ${mQa} for the answers`;alpha.stand(now.alpha,short(now.alpha),
`alpha ${short(now.alpha)}, ${many(answers.length,"answer")}`),share.slider.max=budget,share.slider.disabled=!budget,share.
stand(mRet,+now.share.toFixed(3),words)}function paint(now,question,shown){stand(now,shown),tau.replaceChildren(h("b",{},
"passages")," "+tauWords(view,shown)),least.replaceChildren(h("b",{},"answers")," "+countWords(view,shown)),summary.textContent=
summarise(view,question,shown,now.alpha),summary.classList.toggle("cfx-error",shown.unbounded||misses(question,shown)),guarantee.
textContent=guaranteed(view,now.alpha,now.share,shown)}let label=()=>`${tau.textContent}; ${least.textContent}`;return{part:h(
"section",{class:"cfx-alpha"},...parts),alpha,share,paint,label}}function facts({question,alpha,share},{ranks,tau,count:count2,
answers,asked,unbounded}){return{question,alpha:short(alpha),share:short(share),ranks:ranks.join(" "),tau:tau<1/0?tau.toFixed(
4):"inf",count:count2,answers:answers.length,asked,unbounded}}function layout(view,id){let question=questionBox(view,id),
dials=controls(view,id),picture=planeFigure(),test=testFigure(id),warning=note("The guarantee holds for an alpha and a s\
hare chosen beforehand, not for ones picked because they look good on these questions."),right=lists(),left=div("left",dials.
part,picture.part,test.part,warning),root=h("div",{class:"cfx cfx-answer-sets"},question.part,div("body",left,right.part));
function paint(now,W){let asked=view.questions[now.question],shown=at(view,now.question,now.alpha,now.share);dials.paint(
now,asked,shown),right.paint(view,asked,shown),picture.paint(view,asked,shown,dials.label(),W),test.paint(view,now.alpha,
shown,W),Object.assign(root.dataset,facts(now,shown))}function show(i){question.show(view.questions[i],i),right.show(view,
view.questions[i])}return{root,question,dials,warning,width:picture.width,paint,show}}function render({model,el}){let{root,
question,dials,warning,width,...draw}=layout(model.get("view"),newId()),keep=keeper(model),W=0;function paint(){let now={
question:model.get("question"),alpha:model.get("alpha"),share:model.get("share")};draw.paint(now,W)}function show(){draw.
show(model.get("question")),paint()}function slide(name,value){warning.classList.add("cfx-on"),keep(name,value),paint()}
return dials.alpha.turned(alpha=>slide("alpha",alpha)),dials.share.turned(share=>slide("share",share)),question.choice.addEventListener(
"change",()=>{keep("question",+question.choice.value),show()}),el.replaceChildren(root),show(),onChange(model,{alpha:paint,
share:paint,question:show}),follow(root,el,()=>{W=width(),paint()})}var sets_default=widget("sets",{render,at});export{at,sets_default as default,render,split};
