var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before2,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before2,under]=[step*p+before2,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function ranked(alpha,r){let[
p,q]=exactParts(alpha);return Math.ceil(r*q/p)-1}var fewest=alpha=>ranked(alpha,1);function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.
exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(
alpha);return q===1e9?String(p/q):`${p}/${q}`}var tenth=x=>`${(100*x).toFixed(1)}%`;function lgamma(x){let shift=0;for(;x<15;)shift-=Math.log(x++);let y=1/(x*x),series=(1/12-y*(1/360-y*(1/1260-y/1680)))/x;
return shift+(x-.5)*Math.log(x)-x+Math.log(2*Math.PI)/2+series}function betaFraction(x,a,b){let some=v=>Math.abs(v)<1e-300?
1e-300:v,c=1,d=1/some(1-(a+b)*x/(a+1)),fraction=d,step=term=>{d=1/some(1+term*d),c=some(1+term/c),fraction*=c*d};for(let m=1;m<
1e4&&(step(m*(b-m)*x/((a+2*m-1)*(a+2*m))),step(-(a+m)*(a+b+m)*x/((a+2*m)*(a+2*m+1))),!(Math.abs(c*d-1)<1e-15));m++);return fraction}
function betaCdf(x,a,b){if(x<=0)return 0;if(x>=1)return 1;if(x>(a+1)/(a+b+2))return 1-betaCdf(1-x,b,a);let scale2=lgamma(
a+b)-lgamma(a)-lgamma(b)+a*Math.log(x)+b*Math.log1p(-x);return betaFraction(x,a,b)*Math.exp(scale2)/a}function betaQuantile(p,a,b){
let lo=0,hi=1;for(let i=0;i<52;i++){let x=(lo+hi)/2;betaCdf(x,a,b)<p?lo=x:hi=x}return(lo+hi)/2}function firstThat(from,to,does){let lo=from,hi=to;for(;lo<hi;){let n=lo+hi>>1;does(n)?hi=n:lo=n+1}return lo}function sizesNeeded(alpha,eps,tail,both){
let asked=1-alpha,low=(n,r)=>betaCdf(asked-eps,n+1-r,r)<=tail,high=(n,r)=>!both||betaCdf(alpha-eps,r,n+1-r)<=tail,first,
last=ranked(alpha,1)-1;for(let r=1;ranked(alpha,r)<1.2*last+1e3||!first;r++){let from=ranked(alpha,r),to=ranked(alpha,r+
1)-1;if(to<from)continue;let start=firstThat(from,to+1,n=>low(n,r));start<=to&&high(start,r)&&(first??=start),high(to,r)?
start>from&&(last=start-1):last=to}return{first,n:last+1}}var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids),section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h(
"div",{class:"cfx-heading",role:"heading","aria-level":3},words);var newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===
1?"":"s"}`,keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}var POWER=.8,BET_DELTA=.05,atMost=(c,n,p)=>c<n?betaCdf(1-p,n-c,c+1):1;function hoeffdingBentkus(c,n,limit){let share=Math.
min(c/n,limit),part=(x,y)=>x>0?x*Math.log(x/y):0,hoeffding=Math.exp(-n*(part(share,limit)+part(1-share,1-limit)));return Math.
min(Math.E*atMost(c,n,limit),hoeffding)}var shownBy=(limit,delta)=>Math.ceil(Math.log(delta)/Math.log1p(-limit)-1e-12);function allowing(c,before2,limit,delta,pValue){
let shows=n=>pValue(c,n,limit)<=delta,step=Math.ceil(1/limit);for(;!shows(before2+step);)step*=2;return firstThat(before2+
1,before2+step,shows)}function fromHereOn(limit,delta,pValue,holds){let answer=shownBy(limit,delta),next=answer;for(let c=0;next<
1.2*answer+300;c++)next=allowing(c+1,next,limit,delta,pValue),holds(next-1,c)||(answer=next);return answer}var limitSize=(limit,rate,delta,pValue)=>fromHereOn(
limit,delta,pValue,(n,c)=>atMost(c,n,rate)>=POWER),pacSize=(alpha,eps,delta)=>fromHereOn(alpha,delta,atMost,(n,c)=>(n-c)/
(n+1)<=1-alpha+eps+1e-12);function questionsForGroups(shares,least,delta){let enough=n=>shares.reduce((sum,share)=>sum+atMost(
least-1,n,share),0)<=delta,high=least;for(;!enough(high);)high*=2;return firstThat(Math.floor(high/2)+1,high,enough)}function everyPlan({
alpha,eps,delta,rarest,worth}){let half=Math.round(alpha*5e8)/1e9,left=+(alpha-eps).toFixed(9),finite=fewest(alpha),near=sizesNeeded(
alpha,eps,delta,!1).n,none=shownBy(alpha,delta),steps=fewest(half),gate=Math.max(200,steps),rate=left>0?left:alpha/2,shown=(delta2,pValue)=>({
finite:shownBy(alpha,delta2),n:limitSize(alpha,rate,delta2,pValue)}),grouped=least=>questionsForGroups([rarest,1-rarest],
least,delta);return{threshold:{finite,n:near},slider:{finite:ranked(alpha,alpha<.5?1.5:1),n:sizesNeeded(half,eps,delta,!1).
n},"this set":{finite:none,n:pacSize(alpha,eps,delta)},groups:{finite:grouped(finite),n:grouped(near)},"answer sets":{finite:steps,
n:sizesNeeded(half,eps/2,delta/2,!1).n},gate:{finite:gate,n:Math.max(near,gate)},"risk control":{finite,n:near},"tested \
limit":shown(delta,hoeffdingBentkus),"two limits":shown(delta/2,hoeffdingBentkus),budget:shown(delta,atMost),weights:{finite:Math.
ceil(finite/worth),n:Math.ceil(near/worth)},audit:{finite:shownBy(alpha,BET_DELTA),n:shownBy(+(alpha-half).toFixed(9),BET_DELTA)}}}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`;function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decimal"}:{type:"\
number",min:0,max:1,step},read=level?levelOf:text2=>text2?+text2:NaN,slider=h("input",{type:"range",id,...range}),number=h(
"input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),` ${words}`),
sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute(
"aria-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2);
let[now,text2]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.value=text2),invalid(
!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.value))),number.addEventListener("input",()=>{
let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider,number,parts:[label,number,slider,sides],
stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),alphaDial=(id,more,fits,words="the share \
of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,"more misses"],range:small(about),fits,level:!0});var summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span("key",h("i",{class:"\
cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids);function ticks(lo,hi,most){let step=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??
hi,out=[];for(let i=Math.ceil(lo/step-1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}var scale=(lo,hi,from,to)=>x=>from+(to-from)*(x-lo)/(hi-lo);var path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more});var middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg("text",{x,y,...more},words),before=(x,y,words)=>text(x,y,
words,{"text-anchor":"end"}),named=(x,y,words,left)=>text(x+(left?-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"en\
d":"start"});function hatching(id){return svg("defs",{},svg("pattern",{id,width:5,height:5,patternUnits:"userSpaceOnUse",patternTransform:"\
rotate(45)"},svg("rect",{class:"cfx-hatch",width:2.6,height:5})))}var hatched=id=>({fill:`url(#${id})`});function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}var SIDES={false:"not more than eps below 1 - alpha",true:"within eps of 1 - alpha, on both sides"},GUARANTEES={threshold:"\
threshold: a fixed level, coverage on average over calibration sets",slider:"slider: I slide, among a half of alpha, alp\
ha and its double","this set":"this set: coverage with this calibration set (PAC)",groups:"groups: coverage of each kind\
 of question","answer sets":"answer sets: a right answer in the set",gate:"gate: coverage behind a gate for foreign ques\
tions","risk control":"risk control: relevant chunks missed, on average","tested limit":"tested limit: relevant chunks m\
issed, with confidence","two limits":"two limits: chunks missed and a budget, with confidence",budget:"budget: an answer\
 within a token budget",weights:"weights: coverage of other questions",audit:"audit: a judge's labels, checked"},USUAL={
groups:.1,weights:.5},SHARES={groups:["of questions of the rarest kind",["rarer: more questions","more common: fewer"]],
weights:["of the questions that weights leave (effective)",["smaller: more questions","larger: fewer"]]},CONFIDENCE={.2:"\
80%",.1:"90%",.05:"95%",.01:"99%"};function planned(alpha,eps,delta,two_sided){let tail=two_sided?delta/2:delta,needed=sizesNeeded(
alpha,eps,tail,two_sided),plan={alpha,eps,delta,two_sided,tail,finite:fewest(alpha),...needed};return{...plan,low:coverageAt(
plan,plan.n,tail),high:coverageAt(plan,plan.n,1-tail)}}function coverageAt({alpha},n,probability){let k=rank(n,alpha);return betaQuantile(
probability,k,n+1-k)}function sizes(plan,most){let out=[plan.n,most];for(let n=plan.finite;n<most;n=Math.max(n+1,Math.round(
n*1.05)))out.push(n);for(let r=2;r<=30;r++)out.push(ranked(plan.alpha,r)-1,ranked(plan.alpha,r));return out.filter(n=>n>=
plan.finite&&n<=most).sort((a,b)=>a-b)}function remembering(plans){let known,found;return wish=>{let asked=JSON.stringify(
wish);return asked!==known&&(found=plans(wish)),known=asked,found}}function planFrame(plan,W){let right=W-24,base=226,head=26,
most=10**Math.ceil(Math.log10(Math.max(3*plan.n,300))),span2=Math.max(2.5*plan.eps,.06),lo=Math.max(0,1-plan.alpha-span2),
hi=Math.min(1,1-plan.alpha+span2),height=scale(lo,hi,base,head);return{left:44,right,base,head,most,lo,hi,X:n=>44+(right-
44)*Math.log10(n)/Math.log10(most),Y:share=>height(Math.min(Math.max(share,lo),hi))}}function band(plan,{most,X,Y}){let corner=(n,probability)=>`${X(
n).toFixed(1)} ${Y(coverageAt(plan,n,probability)).toFixed(1)}`,rising=sizes(plan,most),upper=rising.map(n=>corner(n,1-plan.
tail)),lower=rising.reverse().map(n=>corner(n,plan.tail));return`M${[...upper,...lower].join("L")}z`}function hopeless(plan,{
left,base,head,X},id){let end=X(Math.max(1,plan.finite-.5)),width=Math.max(0,end-left);return svg("rect",{class:"cfx-bey\
ond",x:left,y:head,width,height:base-head,...hatched(id),opacity:.45})}function powersOfTen({most,X,base}){let length=Math.
round(Math.log10(most))+1;return Array.from({length},(_,i)=>text(X(10**i),base+18,count(10**i),middle))}function coverageLines({
left,right,lo,hi,Y}){let line=share=>[path("grid",`M${left} ${Y(share).toFixed(1)}H${right}`),before(left-6,Y(share)+4,percent(
share))];return ticks(lo,hi,6).flatMap(line)}function planChart(plan,W,id){let frame=planFrame(plan,W),{left,right,base,
head,lo,hi,X,Y}=frame,asked=1-plan.alpha,x=X(plan.n),wish=share=>share>lo&&share<hi?path("wish",`M${left} ${Y(share).toFixed(
1)}H${right}`):null;return[hatching(id),hopeless(plan,frame,id),...coverageLines(frame),path("bands",band(plan,frame)),path(
"axis",`M${left} ${base}H${right}`),path("axis",`M${left} ${Y(asked)}H${right}`),wish(asked-plan.eps),plan.two_sided?wish(
asked+plan.eps):null,...powersOfTen(frame),text((left+right)/2,262,"n, calibration questions",middle),text(0,12,"coverag\
e"),path("line",`M${x.toFixed(1)} ${head-12}V${base+4}`),named(x,head-8,`n = ${count(plan.n)}`,x>W*.55)].filter(Boolean)}
function rowsChart(plans,chosen,W){let names=Object.keys(plans),left=96,right=W-58,head=8,step=24,base=head+step*names.length,
most=10**Math.ceil(Math.log10(Math.max(...names.map(name=>plans[name].n),100))),X=n=>left+(right-left)*Math.log10(Math.max(
1,n))/Math.log10(most),powers=Array.from({length:Math.round(Math.log10(most))+1},(_,i)=>10**i),row=(name,i)=>{let{finite,
n}=plans[name],y=head+step*(i+.5),[from,to]=[X(finite),X(n)];return svg("g",{class:name===chosen?"cfx-row cfx-chosen":"c\
fx-row"},text(left-10,y+4,name,{"text-anchor":"end"}),path("span",`M${from.toFixed(1)} ${y}H${to.toFixed(1)}`),svg("circ\
le",{class:"cfx-from",cx:from.toFixed(1),cy:y,r:4}),svg("circle",{class:"cfx-to",cx:to.toFixed(1),cy:y,r:5}),text(to+10,
y+4,count(n)))};return[...powers.map(n=>path("grid",`M${X(n).toFixed(1)} ${head}V${base}`)),...names.map(row),...powers.
filter((_,i)=>W>500||i%2===0).map(n=>text(X(n),base+16,count(n),middle)),text((left+right)/2,base+36,"questions (labels \
for an audit)",middle)]}function promiseWords(name,{alpha,eps,delta,share},steps){let[asked,miss,sure]=[1-alpha,alpha,1-
delta].map(percent),low=percent(Math.max(0,1-alpha-eps)),most=percent(Math.min(1,alpha+eps)),rate=percent(alpha-eps>1e-9?
alpha-eps:alpha/2),near=`coverage is at least ${low}, with ${sure} probability`,shown=`is shown to hold, with 80% probab\
ility, if really ${rate}`,missed="are missed and each question has one relevant chunk",relevant=`on average over questio\
ns, at most ${miss} of the chunks relevant to a question are missed`,half=Math.round(alpha*5e8)/1e9;return{slider:["alph\
a may be moved to a half of it, or (below 50%) to its double, after looking: a miss counts 1/alpha, and that is on avera\
ge at most 1 a question",`a threshold at ${percent(half)}, about where it stands at ${miss}, covers at least ${percent(Math.
max(0,1-half-eps))}, with ${sure} probability; on the medication guide a moved 10% reads 1.8 chunks, a fixed one 1.3`],"\
this set":[`with ${sure} probability, at least ${asked} of questions are covered with this calibration set`,`coverage is\
 at most ${percent(Math.min(1,1-alpha+eps))} on average, so little more is read than has to be`],groups:[`at least ${asked}\
 of each kind of question are covered, on average; the rarest kind makes up ${percent(share)}`,`coverage of each kind is\
 at least ${low}, with ${sure} probability, once it has enough questions`],"answer sets":[`for at least ${asked} of ques\
tions a right answer is in the set, or the set is everything, on average`,`both steps together miss at most ${most}, wit\
h ${sure} probability`],gate:[`a fifth of alpha pays for the gate, and at least ${asked} of questions are still covered,\
 on average`,near],"risk control":[`${relevant}, or everything is retrieved`,`at most ${most} are missed with your set, \
with ${sure} probability, if each question has one relevant chunk`],"tested limit":[`${relevant}, with ${sure} probabili\
ty`,`the limit ${shown} ${missed}`],"two limits":[`${relevant}, and a limit on the budget holds, both with ${sure} proba\
bility`,`the limit on missed chunks ${shown} ${missed}`],budget:[`with ${sure} probability, an answer fits the budget fo\
r at least ${asked} of questions`,`the promise ${shown} do not fit`],weights:[`about ${asked} of other questions are cov\
ered, by weights that leave an effective ${percent(share)} of these`,`${near}; a question with a large weight needs more`],
audit:[`if no label that you look at comes too early, part of alpha is left; the audit misleads with at most ${percent(BET_DELTA)}\
 probability`,`half of alpha is left if none comes too early, and a threshold then needs ${many(steps,"question")}`]}[name]}
function planWords({two_sided,low,high,delta}){let sure=`with ${percent(1-delta)} probability`;return two_sided?`With th\
at many, coverage lies between ${tenth(low)} and ${tenth(high)} ${sure}, if no scores tie.`:`With that many, coverage is\
 at least ${tenth(low)} ${sure}.`}function leastWords({first,n,finite}){return`${first<n?`The smallest number that will \
do is ${count(first)}; between the two, some will do and some will not (the teeth of the band). `:""}With fewer than ${many(
finite,"question")}, there is no finite threshold at this alpha, and everything that the score ranks is retrieved.`}function choice(id,words,options,chosen){
let option=([value,words2])=>h("option",{value},words2),select=h("select",{id},...Object.entries(options).map(option));return select.
addEventListener("change",()=>chosen(select.value)),{select,part:div("choice",h("label",{for:id},words),select)}}function controls(id,keep){
let alpha=alphaDial(id,"fewer misses",x=>x>=.001&&x<=.999),eps=dial(id+"e",{name:"eps",words:"shortfall of coverage you \
can live with",ends:["closer: more questions","looser: fewer"],range:{min:.01,max:.2,step:.005,"aria-describedby":id+"s"},
step:.005,fits:x=>x>=.005&&x<=.5}),sides=choice(id+"w","coverage should be",SIDES,value=>keep("two_sided",value==="true")),
sure=choice(id+"d","confidence",CONFIDENCE,value=>keep("delta",+value)),what=choice(id+"g","guarantee",GUARANTEES,value=>{
value in USUAL&&keep("share",USUAL[value]),keep("guarantee",value)}),share=dial(id+"p",{name:"share",words:"",ends:["",""],
range:{min:.02,max:.95,step:.01,"aria-describedby":id+"s"},step:.01,fits:x=>x>0&&x<1}),[label,,,ends]=share.parts,part=h(
"section",{class:"cfx-alpha"},what.part,...alpha.parts,...eps.parts,...share.parts,sides.part,sure.part);share.turned(x=>keep(
"share",x)),alpha.turned(x=>keep("alpha",x)),eps.turned(x=>keep("eps",x));function standShare(guarantee,value){let[words,
sides2]=SHARES[guarantee]??["",["",""]];share.parts.forEach(part2=>{part2.hidden=!words}),label.lastChild.textContent=` ${words}`,
[...ends.children].forEach((end,i)=>{end.textContent=i?`${sides2[i]} →`:`← ${sides2[i]}`}),share.stand(value,short(value),
`share ${short(value)}`)}function stand(plan,guarantee,value){let questions=many(plan.n,"question");what.select.value=guarantee,
sides.part.hidden=guarantee!=="threshold",standShare(guarantee,value),alpha.stand(plan.alpha,short(plan.alpha),`alpha ${short(
plan.alpha)}, ${questions}`),eps.stand(plan.eps,short(plan.eps),`eps ${short(plan.eps)}, ${questions}`),sides.select.value=
plan.two_sided,sure.select.value=short(plan.delta)}return{part,stand}}function facts({alpha,eps,delta,two_sided,n,first,
finite,low,high}){return{...{alpha:short(alpha),eps:short(eps),delta:short(delta),sides:two_sided?2:1},n,first,finite,low:low.
toFixed(6),high:high.toFixed(6)}}var NAMES=["alpha","eps","delta","two_sided","guarantee","share"];function render({model,
el}){let id=newId(),{part,stand}=controls(id,keeper(model)),plansOf=remembering(everyPlan),title=heading(),summary=summaryOf(
id),least=hint(),chart=svg("svg",{height:270,role:"img"}),colours=keys(key("bands","band of coverage, without ties"),key(
"wish","wanted"),key("beyond","no finite threshold")),rows=svg("svg",{height:340,role:"img"}),ends=keys(key("from","fewe\
r promise nothing"),key("to","worthwhile from here on")),needed=h("section",{class:"cfx-needed"},title,summary,least),bands=section(
heading("Coverage against the number of questions"),chart,colours),all=section(heading("What each guarantee takes"),rows,
ends),root=h("div",{class:"cfx","aria-label":"Sample-size planner",role:"group"},div("body",div("left",part,needed),div(
"charts",bands,all))),W=0;function sayThreshold(plan){title.textContent=`At least ${many(plan.n,"question")}`,summary.textContent=
planWords(plan),least.textContent=leastWords(plan)}function sayOther(guarantee,wish,{finite,n},plans){let[promised,worth]=promiseWords(
guarantee,wish,plans["answer sets"].finite),unit=guarantee==="audit"?"label":"question";title.textContent=`At least ${many(
n,unit)}`,summary.textContent=`With that many, ${worth}.`,least.textContent=`The promise: ${promised}. With fewer than ${many(
finite,unit)}, nothing is promised.`}function paint(){let[alpha,eps,delta,two_sided,chosen,kept]=NAMES.map(name=>model.get(
name)),guarantee=chosen??"threshold",share=kept??USUAL.groups,shares={...USUAL,[guarantee]:share},plans=plansOf({alpha,eps,
delta,rarest:shares.groups,worth:shares.weights}),own=planned(alpha,eps,delta,two_sided),plan=guarantee==="threshold"?own:
{...own,...plans[guarantee],first:plans[guarantee].n};stand(plan,guarantee,share),guarantee==="threshold"?sayThreshold(plan):
sayOther(guarantee,{alpha,eps,delta,share},plans[guarantee],plans);let needs=`At least ${many(own.n,"question")}`;chart.
setAttribute("aria-label",`Band of coverage against n. ${needs}. ${planWords(own)}`),bands.hidden=guarantee!=="threshold";
let said=Object.entries(plans).map(([name,{finite,n}])=>`${name} ${count(finite)} to ${count(n)}`);rows.setAttribute("ar\
ia-label",`Questions that each guarantee takes: ${said.join(", ")}.`),Object.assign(root.dataset,facts(plan),{guarantee,
share:short(share)}),W&&(bands.hidden||chart.replaceChildren(...planChart(plan,chart.clientWidth,id)),rows.replaceChildren(
...rowsChart(plans,guarantee,rows.clientWidth)))}return el.replaceChildren(root),onChange(model,Object.fromEntries(NAMES.
map(name=>[name,paint]))),paint(),follow(root,el,()=>{W=root.clientWidth,paint()})}var planner_default=widget("planner",
{render,sizesNeeded,everyPlan});export{planner_default as default,render};
