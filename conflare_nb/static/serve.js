var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids),section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h(
"div",{class:"cfx-heading",role:"heading","aria-level":3},words),alertBox=()=>h("p",{class:"cfx-error",role:"alert",hidden:!0}),
sayIn=(element,words)=>{element.hidden=!words,element.textContent=words},card=(answers,...kids)=>h("li",{class:answers?"\
cfx-chunk cfx-answers":"cfx-chunk"},...kids),folded=(number,where,more,...kids)=>h("details",{},h("summary",{},span("ran\
k",number),span("where",where),...more),...kids),newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString(
"en-US"),many=(n,word)=>`${count(n)} ${word}${n===1?"":"s"}`,keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};
function onChange(model,draws){for(let name in draws)model.on("change:"+name,draws[name])}function onEnter(field,go){field.
addEventListener("keydown",e=>{e.key!=="Enter"||e.shiftKey||e.isComposing||(e.preventDefault(),go())})}function lightness(element){
let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,opacity=1]=parts.map(Number);
return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=element.parentElement){let light=lightness(
element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"background:Canvas"})),dark=lightness(probe)<
384;return probe.remove(),dark}function follow(root2,el,resized){let scheme=matchMedia("(prefers-color-scheme: dark)"),theme=()=>root2.
classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener("change",theme),new ResizeObserver(()=>{width!==
root2.clientWidth&&(width=root2.clientWidth,theme(),resized?.())}).observe(root2),()=>scheme.removeEventListener("change",
theme)}var patience=say=>setTimeout(say,2e4,"Still waiting for the kernel. If it was restarted, run the cell again.");var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before2,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before2,under]=[step*p+before2,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function ranked(alpha,r){let[
p,q]=exactParts(alpha);return Math.ceil(r*q/p)-1}var fewest=alpha=>ranked(alpha,1);function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.
exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(
alpha);return q===1e9?String(p/q):`${p}/${q}`}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`,noBandWords="too few documents for a band";function foundBandWords(low,high,tied){if(low===null)return noBandWords;
let least=percent(Math.floor(low*1e3+1e-6)/1e3);return tied?`at least ${least}`:`${least} to ${percent(Math.ceil(high*1e3-
1e-6)/1e3)}`}var noBand=(low,high)=>low===0&&high===1,bandWords=(low,high)=>noBand(low,high)?noBandWords:foundBandWords(
low,high,high===1),qhatOf=qhat=>qhat<1/0?qhat.toFixed(4):"inf",cut=words=>words.length>90?words.slice(0,89)+"…":words,
scoreText=({digits},score)=>score.toFixed(digits),shareText=share=>`${+(100*share).toPrecision(2)}%`;function beside({shares},score){
return shares?score?`share ${shareText(Math.exp(-score))}`:"best chunk":""}var axisTitle=({label})=>`${label} (lower = b\
etter)`,capital=words=>words[0].toUpperCase()+words.slice(1);function qhatWords({score},qhat){return[scoreText(score,qhat),
beside(score,qhat)].filter(Boolean).join(", ")}function questionChoice(texts,id){let several=texts.length>1,options=texts.
map((text2,i)=>h("option",{value:i},cut(text2))),choice=h("select",{id:id+"q",hidden:!several},...options),label=several?
h("label",{for:id+"q"},"Question"):h("b",{},"Question"),words=paragraph("saved");function show(i){choice.value=i,words.textContent=
texts[i],words.hidden=several&&cut(texts[i])===texts[i]}return{choice,parts:[label,choice,words],show}}function whyInfinite(view,alpha,k){
let n=many(view.n,"question");if(k<=view.n)return`For ${view.infinite} of ${n}, no chunk that answers was found.`;let few=view.
n===1?"is too few":"are too few";return`${n} ${few} for alpha = ${short(alpha)}; at least ${count(fewest(alpha))} are ne\
eded.`}function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decim\
al"}:{type:"number",min:0,max:1,step},read=level?levelOf:text2=>text2?+text2:NaN,slider2=h("input",{type:"range",id,...range}),
number=h("input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),
` ${words}`),sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.
setAttribute("aria-invalid",is);function stand(position,value,words2){slider2.value=position,slider2.setAttribute("aria-\
valuetext",words2);let[now,text2]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.
value=text2),invalid(!1)}function turned(go){slider2.addEventListener("input",()=>go(of(+slider2.value))),number.addEventListener(
"input",()=>{let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider:slider2,number,parts:[label,
number,slider2,sides],stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),alphaDial=(id,more,fits,words="\
the share of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,"more misses"],range:small(about),
fits,level:!0}),note=words=>paragraph("note",words),summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"poli\
te"}),key=(kind,words)=>span("key",h("i",{class:"cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids),row=(name,...cells)=>h(
"tr",{},h("th",{scope:"row"},name),...cells.map(cell=>h("td",{},cell)));function table(names,rows){let heads=names.map(name=>h(
"th",{scope:"col"},name));return h("table",{},h("thead",{},h("tr",{},...heads)),rows)}function ticks(lo,hi,most){let step=[
.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??hi,out=[];for(let i=Math.ceil(lo/step-
1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}function roundStep(span2,most){let ten=10**Math.
floor(Math.log10(span2/most));return[1,2,5,10].map(x=>x*ten).find(step=>span2/step<=most+1e-9)}var scale=(lo,hi,from,to)=>x=>from+
(to-from)*(x-lo)/(hi-lo),box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.
toFixed(1)}z`,path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more}),reach=(x,y,width,height)=>svg("rect",{class:"\
cfx-reach",x,y,width:Math.max(0,width),height:Math.max(0,height)}),middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg(
"text",{x,y,...more},words),before=(x,y,words)=>text(x,y,words,{"text-anchor":"end"}),named=(x,y,words,left)=>text(x+(left?
-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"end":"start"}),gridLine=(left,right,y,words)=>[path("grid",`M${left}\
 ${y}H${right}`),before(left-5,y+4,words)],countLines=(top,{left,right,Y})=>ticks(0,top,3).filter(n=>n&&n%1===0).flatMap(
n=>gridLine(left,right,Y(n),n));function hatching(id){return svg("defs",{},svg("pattern",{id,width:5,height:5,patternUnits:"\
userSpaceOnUse",patternTransform:"rotate(45)"},svg("rect",{class:"cfx-hatch",width:2.6,height:5})))}var hatched=id=>({fill:`\
url(#${id})`}),bars=({within,beyond},id)=>[path("within",within),path("beyond",beyond,hatched(id))];function binned(scores,lo,hi,width){
let out=[],i=0;for(let bin=1;bin<=Math.round((hi-lo)/width);bin++){let from=i,edge=lo+bin*width-1e-9;for(;i<scores.length&&
scores[i]<edge;)i++;out.push([from,i])}return i<scores.length&&(out.at(-1)[1]=scores.length),out}function tallest(view,ranges){
let counts=[view.infinite,...ranges.map(([from,to])=>to-from)],[most,next=0]=counts.sort((a,b)=>b-a);return next>2&&most>
4*next?2*next:Math.max(1,most)}function withinRank({n,scores},k){if(k>scores.length)return n;let last=scores[k-1];for(;k<
scores.length&&scores[k]===last;)k++;return k}function scoresFrame({lo,hi,top,ranges},W,base){let right=W-46,head=26;return{
left:30,right,end:W-8,base,head,X:scale(lo,hi,30,right),Y:scale(0,top,base,head),width:(right-30)/ranges.length}}function columns(view,{
ranges,top},{k,qhat},{left,end,base,width,Y}){let within="",beyond="",ends=withinRank(view,k);if(ranges.forEach(([from,to],i)=>{
let shown=Math.min(1,top/(to-from)),inside=shown*Math.max(0,Math.min(to,ends)-from),rest=shown*(to-from)-inside,x=left+i*
width+.5;inside&&(within+=box(x,base,width-1,base-Y(inside))),rest>1e-9&&(beyond+=box(x,Y(inside),width-1,base-Y(rest)))}),
view.infinite){let bar=box(end-16,base,12,base-Y(view.infinite));qhat<1/0?beyond+=bar:within+=bar}return{within,beyond}}
function towers({ranges,top},{left,head,width},line){return ranges.flatMap(([from,to],i)=>{if(to-from<=top)return[];let x=left+
i*width,beside2=x+width+5,at2=line>beside2-5&&line<beside2+40?line+5:beside2;return[path("cut",`M${(x-2).toFixed(1)} ${head+
13}l${(width+4).toFixed(1)} -6`),text(at2.toFixed(1),head+12,`${count(to-from)} ↑`)]})}function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function at(view,alpha){let k=rank(view.n,alpha),i=k-1;if(k>view.scores.length){let sure=view.score.pool?null:1;return{k,
qhat:1/0,chunks:view.total,tokens:view.total_tokens,low:sure,high:sure}}let chunks=view.within[i],tokens=view.within_tokens[i];
return{k,qhat:view.scores[i],chunks,tokens,low:view.low[i],high:view.high[i]}}function calibratedK({n,ks},alpha){return ks?
ks[rank(n,alpha)-1]??1/0:null}function topOf({total,total_tokens,lengths},k){return k>=total?{chunks:total,tokens:total_tokens}:
{chunks:k,tokens:lengths[k]}}function everyView({view,others=[],texts=[]}){let all=[...view.chunks,...texts],chunkOf=([place,
answers,score,distance,p_value,sentences])=>({...all[place],answers,score,distance,p_value,sentences}),whole=other=>({...view,
...other,chunks:other.chunks.map(chunkOf)});return[view,...others.map(whole)]}var listed=({sentences},alpha)=>sentences.
filter(([,,p])=>p>alpha);function pieces(chunk,alpha){let letters=[...chunk.text],cuts=listed(chunk,alpha).flatMap(([start,
end])=>[start,end]);return[0,...cuts].map((from,i)=>letters.slice(from,cuts[i]).join(""))}function summarise(view,alpha,{
k,qhat,chunks,tokens}){let size=`${many(chunks,"chunk")}, ${many(tokens,"token")}`;return qhat<1/0?`qhat = ${qhatWords(view,
qhat)} (k = ${k} of n = ${view.n}): ${size}.`:`${capital(view.score.everything)} is retrieved: ${size}. ${whyInfinite(view,
alpha,k)}`}var ofWhom=(view,words)=>view.group_label?`${words} of ${view.group_label}`:words,EVERYTHING="Every question \
that the knowledge base answers is covered, at the price of retrieving all of it.",POOL="Every question that a chunk in \
the pool answers is covered; the others are not.",UNPROMISED="These thresholds promise nothing.";function guaranteed(view,alpha,{
qhat}){if(qhat===1/0)return view.score.pool?POOL:EVERYTHING;let lost=`${view.infinite} of ${many(view.n,"calibration que\
stion")}`,beyond=view.infinite?` No threshold reaches an answer for ${lost}, so a finite one can cover less than this.`:
"";return`For at least ${percent(1-alpha)} of ${view.population}, a chunk that answers is retrieved, or ${view.score.everything}\
 is, on average over calibration sets.${beyond}`}function coverageWords(view,{qhat,low,high}){if(low==null)return"Questi\
ons with no answer in the pool are not covered, and how many there are is not known.";if(qhat===1/0)return"Everything is\
 retrieved, so every question that the knowledge base answers is covered.";let words=`Coverage with this calibration set\
: ${bandWords(low,high)}`;if(noBand(low,high))return`${words} (n = ${view.n}).`;let ties=high===1?" Scores tie with the \
threshold, so it may cover more.":"";return`${words} (90% band, n = ${view.n}).${ties}`}function aboutScores(view){let{label,
word,shares}=view.score,lost=view.infinite?` For ${view.infinite} of them, no such chunk was found (inf).`:"",kind=word===
"score"?`, ${label}`:"",best=shares?" A score of 0 means that the best chunk answers.":"",asked=ofWhom(view,many(view.n,
"calibration question"));return`The nonconformity score of ${view.n===1?"":"each of "}${asked}: the ${word} of the first\
 chunk that answers it${kind}.${best}${lost}`}function binScores(view){let{scores,chunk_scores,score}=view,least=score.digits?
.01:1,first=Math.min(scores[0]??0,chunk_scores[0]??1/0),last=Math.max(scores.at(-1)??1,first+10*least),most=scores.length<
80?14:30,width=Math.max(least,roundStep(last-first,score.digits?most:90)),lo=score.digits&&first?Math.floor(first/width+
1e-9)*width:first-(score.digits?width:1)/2,hi=lo+Math.ceil((last-lo)/width+1e-9)*width,ranges=binned(scores,lo,hi,width);
return{lo,hi,ranges,top:tallest(view,ranges)}}function chunkTicks({chunk_scores,answer_ranks},{hi},{chunks},{X,base}){let near="",
far="",marks="";chunk_scores.forEach((score,i)=>{if(score>hi)return;let tick=`M${X(score).toFixed(1)} ${base+4}v13`;i<chunks?
near+=tick:far+=tick});for(let rank2 of answer_ranks??[]){let score=chunk_scores[rank2-1];score<=hi&&(marks+=`M${X(score).
toFixed(1)} ${base+19}l-5 8h10z`)}return[path("far",far),path("near",near),path("mark",marks)]}function scoreScale({score},{
lo,hi},W,{X,base}){let places=hi-lo<4?2:0;return ticks(lo,hi,W<420?5:8).flatMap(x=>[text(X(x),base+42,x.toFixed(Math.min(
places,score.digits)),middle),score.shares?text(X(x),base+57,x?shareText(Math.exp(-x)):"best",middle):null])}var chartHeight=({
score})=>score.shares?223:208;function scoresChart(view,bins,now,W,id){let frame=scoresFrame(bins,W,142),{left,right,end,
base,head,X}=frame,finite=now.qhat<1/0,x=finite?X(now.qhat):end;return[hatching(id),reach(left,head-6,x-left,base+30-head),
...countLines(bins.top,frame),...bars(columns(view,bins,now,frame),id),...towers(bins,frame,x),path("axis",`M${left} ${base}\
H${end}`),...chunkTicks(view,bins,now,frame),...scoreScale(view,bins,W,frame),view.infinite||!finite?text(end-10,base+42,
"inf",middle):null,text((left+right)/2,chartHeight(view)-5,axisTitle(view.score),middle),text(0,12,"questions"),path("li\
ne",`M${x.toFixed(1)} ${head-12}V${base+24}`),named(Math.max(x,58),head-10,finite?`qhat ${qhatWords(view,now.qhat)}`:"qh\
at infinite",x>W*.6)].filter(Boolean)}function bandChart(alpha,{low,high},W){let asked=1-alpha,lo=Math.min(asked,.4),left=16,
right=W-20,y=30,place=scale(lo,1,left,right),X=share=>place(Math.max(share,lo)),x=X(asked);return[path("track",`M${left}\
 ${y}H${right}`),low==null||noBand(low,high)?null:path("band",`M${X(low).toFixed(1)} ${y}H${Math.max(X(high),X(low)+3).toFixed(
1)}`),...ticks(lo,1,W<420?4:7).map(share=>text(X(share),y+24,percent(share),middle)),path("line",`M${x.toFixed(1)} 8V${y+
10}`),named(x,15,`asked for: ${W<420?"":"1 - alpha = "}${percent(asked)}`,x>W*.5)].filter(Boolean)}function opener(chunk){
let button2=h("button",{type:"button"},"Open the document here"),detail={bubbles:!0,detail:chunk};return button2.addEventListener(
"click",()=>button2.dispatchEvent(new CustomEvent("cfx-open",detail))),button2}function chunkItem(view,chunk,i){let{score}=view,
page=chunk.page==null?"":`page ${chunk.page}`,where=[chunk.title,chunk.heading,page].filter(Boolean).join(" › "),title=`${score.
label} and p-value; the p-value is not the probability that the chunk answers`,numbers=[scoreText(score,chunk.score),beside(
score,chunk.score),`p ${chunk.p_value.toFixed(3)}`].filter(Boolean).join("  "),far=score.word==="distance"?"":` · distan\
ce ${chunk.distance.toFixed(4)}`;return card(chunk.answers,folded(i+1,where,[chunk.answers?span("yes","✓ answers"):null,
h("span",{class:"cfx-num",title},numbers)],paragraph("id",`${chunk.id} · ${many(chunk.tokens,"token")}${far}`),view.opens?
opener(chunk):null),paragraph("text",chunk.text))}var RULE="A chunk is retrieved when p > alpha; p is not the probabilit\
y that it answers.",marked=(chunk,alpha)=>pieces(chunk,alpha).map((words,i)=>i%2?h("mark",{},words):words);function markedWords({
quoted},alpha,shown,promised){let all=quoted.filter(p=>p>alpha).length,here=shown.reduce((sum,chunk)=>sum+listed(chunk,alpha).
length,0);return`: sentences that may answer; ${all} listed${promised?", with a promise of their own":""}, ${here} of th\
em in the chunks shown`}function chunkList(promised){let title=heading(),list=h("ol",{class:"cfx-chunks",tabindex:0,"ari\
a-label":"Retrieved chunks"}),more=h("li",{class:"cfx-more"}),rule=hint(),legend=hint(),items,seen;function show(view){let{
word,nearest}=view.score;rule.textContent=`${nearest?"Nearest":"Best"} first, with ${word} and p-value. ${RULE}`,items=view.
chunks.map((chunk,i)=>chunkItem(view,chunk,i)),items.forEach(item=>{item.hidden=!0}),legend.hidden=!view.quoted,seen=0,list.
replaceChildren(...items,more),list.scrollTop=0}function mark(view,alpha,chunks){let shown=view.chunks.slice(0,chunks);shown.
forEach((chunk,i)=>items[i].lastChild.replaceChildren(...marked(chunk,alpha))),legend.replaceChildren(h("mark",{},"marke\
d"),markedWords(view,alpha,shown,promised))}function paint(view,alpha,{chunks,tokens,qhat}){view.quoted&&mark(view,alpha,
chunks);let last=Math.min(chunks,items.length);for(;seen<last;seen++)items[seen].hidden=!1;for(;seen>last;seen--)items[seen-
1].hidden=!0;more.hidden=chunks>0&&chunks<=items.length,more.textContent=chunks?`and ${count(chunks-items.length)} more,\
 counted above but not listed here`:"No chunk lies within the threshold: the answer is farther away, or not in this know\
ledge base.",title.textContent=`${many(chunks,"chunk")} retrieved, ${many(tokens,"token")}`,Object.assign(list.dataset,{
n:chunks,alpha:short(alpha),qhat:qhatOf(qhat),tokens})}function lead(rank2){let item=items[rank2-1];item?.scrollIntoView(
{block:"nearest"}),item?.querySelector("summary").focus()}return{part:h("div",{},title,rule,legend,list),show,paint,lead}}
function holdsAnswer(first,chunks,lead,no){if(first==null)return"unknown";if(!first||first>chunks)return span("no",`✗ ${no}`);
let words=`✓ yes, rank ${first}`,button2=h("button",{type:"button",class:"cfx-yes"},words);return button2.addEventListener(
"click",()=>lead(first)),button2}function comparedRows(view,alpha,now,lead){let{answer_ranks,outside,top_k}=view,first=answer_ranks&&
(answer_ranks[0]??0),no=first===0&&outside?"not in the pool":"no",promised=`≥ ${percent(1-alpha)}`,line=(name,{chunks,
tokens},guarantee)=>row(name,count(chunks),count(tokens),holdsAnswer(first,chunks,lead,no),guarantee),rows=[line("within\
 qhat",now,promised)],k=calibratedK(view,alpha);if(k!=null){let calibrated=topOf(view,k);rows.push(line(`calibrated k = ${calibrated.
chunks}`,calibrated,promised))}return[...rows,line(`top-${top_k}`,topOf(view,top_k),"none")]}function figures(id,lead,promised){
let scores=svg("svg",{class:"cfx-scores",role:"img"}),band=svg("svg",{height:60,role:"img"}),answers=key("mark","answers"),
title=heading(),about=hint(),coverage=hint(),rows=h("tbody"),colours=keys(key("within","within qhat"),key("beyond","beyo\
nd qhat"),key("tick","a chunk, scored for this question"),answers),names=["retrieved by","chunks","tokens","has an answe\
r",...promised?["guaranteed coverage"]:[]],parts=[section(title,about,scores,colours),...promised?[section(heading("Cove\
rage"),band,coverage)]:[],section(table(names,rows))],bins;function show(view){bins=binScores(view),scores.setAttribute(
"height",chartHeight(view)),answers.hidden=!view.answer_ranks?.length,title.textContent=ofWhom(view,"Calibration scores"),
about.textContent=aboutScores(view)}function paint(view,alpha,now,summary,W){let compared=comparedRows(view,alpha,now,lead);
promised||compared.forEach(line=>line.lastElementChild.remove()),rows.replaceChildren(...compared),coverage.textContent=
coverageWords(view,now),band.setAttribute("aria-label",coverage.textContent);let said=`Histogram of ${many(view.n,"calib\
ration score")}. ${summary}`,beyond=Math.max(0,view.n-withinRank(view,now.k));scores.setAttribute("aria-label",`${said} \
Scores beyond qhat: ${beyond}.`),W&&(scores.replaceChildren(...scoresChart(view,bins,now,W,id)),band.replaceChildren(...bandChart(
alpha,now,W)))}return{parts,show,paint,width:()=>scores.clientWidth}}function exampleChoice(questions){let options=questions.
map(question=>h("option",{value:question},cut(question)));return h("select",{"aria-label":"Examples"},h("option",{value:""},
"or choose an example …"),...options)}function questionBox(model,live,id){let field=h("textarea",{rows:2,id:id+"q",placeholder:"\
Type a question and press Enter",spellcheck:"false"}),search=h("button",{type:"submit"},"Search"),ask=h("button",{type:"\
button",title:"Have the model answer from the chunks retrieved at this alpha"}),examples=exampleChoice(live?model.get("q\
uestions"):[]),buttons=[search,model.get("can_ask")?ask:null,examples.length>1?examples:null],parts=[h("label",{for:id+"\
q"},"Question"),field,div("buttons",...buttons)];return{form:h("form",{class:"cfx-question"},...parts),field,search,ask,
examples,error:alertBox()}}function savedBox(model,form,id){let views=everyView({view:model.get("view"),others:model.get(
"others"),texts:model.get("texts")}),{choice,parts,show}=questionChoice(views.map(view=>view.query),id),works=views.length>
1?`the slider and ${views.length} questions work`:"the slider works";form.replaceChildren(...parts,hint(`This page is sa\
ved: ${works}. To type a question of your own, run the notebook.`)),choice.addEventListener("change",()=>{show(choice.value),
model.set("view",views[choice.value])}),show(0)}function listen(model,{form,field,ask,examples},begin){let submit=()=>{let query=field.
value.trim();return query&&begin(query),query};form.addEventListener("submit",e=>{e.preventDefault(),submit()}),onEnter(
field,submit),examples.addEventListener("change",()=>{field.value=examples.value,examples.value="",submit()}),ask.addEventListener(
"click",()=>{if(model.get("reply")?.running)return model.send({type:"stop"});let query=submit();query&&model.send({type:"\
ask",query,alpha:model.get("alpha")})})}function replyWords({running,query,alpha,chunks}){let from=chunks==null?"":`, fr\
om ${many(chunks,"chunk")}`,asked=`“${query}” at alpha = ${short(alpha)}${from}`;return running?`Writing an answer t\
o ${asked} …`:`The model’s answer to ${asked}`}function replyBox(ask){let from=hint(),forecast=hint(),words=paragraph(
"words"),part=h("section",{class:"cfx-reply","aria-label":"Answer",hidden:!0},from,forecast,words);function show(reply){
ask.textContent=reply.running?"Stop":"Write",part.hidden=reply.alpha==null,!part.hidden&&(part.setAttribute("aria-busy",
!!reply.running),from.textContent=replyWords(reply),sayIn(forecast,reply.forecast||""),words.textContent=[reply.text,reply.
error].filter(Boolean).join(`

`),words.classList.toggle("cfx-error",!!reply.error))}return{part,show}}function alphaBox(id,promised){let summary=summaryOf(
id),guarantee=hint(),{parts,stand,turned}=alphaDial(id,"more to read",x=>x>0&&x<1);function paint(view,alpha,now,words){
stand(alpha,short(alpha),`alpha ${short(alpha)}, ${many(now.chunks,"chunk")}`),summary.textContent=words,guarantee.textContent=
promised?guaranteed(view,alpha,now):UNPROMISED}return{part:h("section",{class:"cfx-alpha"},...parts,summary,guarantee),paint,
turned}}function layout(id,question,promised,asks){let reply=replyBox(question.ask),slider2=alphaBox(id,promised),chunks=chunkList(
promised),charts=figures(id,chunks.lead,promised),warning=note("The guarantee holds for an alpha chosen beforehand, not \
for one picked by what it retrieves."),left=div("left",slider2.part,...charts.parts,promised?warning:null),right=h("sect\
ion",{class:"cfx-right"},chunks.part),form=asks?question.form:null,root2=h("div",{class:"cfx"},form,question.error,reply.
part,div("body",left,right)),waiting;function busy(on,error){let say=words=>sayIn(question.error,words);root2.setAttribute(
"aria-busy",on),question.search.disabled=on,question.search.textContent=on?"Searching …":"Search",clearTimeout(waiting),
on&&(waiting=patience(say)),say(error)}return{root:root2,reply,slider:slider2,chunks,charts,warning,busy}}function render({
model,el}){let id=newId(),live=!model.get("static"),keep=keeper(model),question=questionBox(model,live,id);live||savedBox(
model,question.form,id);let promised=model.get("promised")!==!1,{root:root2,reply,slider:slider2,chunks,charts,warning,busy}=layout(
id,question,promised,model.get("asks")!==!1),view,W=0;function paint(){let alpha=model.get("alpha"),now=at(view,alpha),summary=summarise(
view,alpha,now);slider2.paint(view,alpha,now,summary),charts.paint(view,alpha,now,summary,W),chunks.paint(view,alpha,now)}
let search=()=>busy(live&&model.get("query")!==view.query,model.get("error")||""),answered=()=>{let said=model.get("repl\
y")||{};reply.show(live||said.query===view.query?said:{})};function show(){view=model.get("view"),live||answered(),charts.
show(view),chunks.show(view),question.field.value!==view.query&&(question.field.value=view.query),paint(),search()}return slider2.
turned(alpha=>{keep("alpha",alpha),warning.classList.add("cfx-on"),paint()}),listen(model,question,query=>{query!==view.
query&&(model.set("error",""),keep("query",query),search())}),el.replaceChildren(root2),show(),answered(),onChange(model,
{alpha:paint,view:show,query:search,error:search,reply:answered}),follow(root2,el,()=>{W=charts.width(),paint()})}var explorer_default=widget(
"explorer",{render,rank,at,calibratedK,topOf,everyView,pieces});async function call(path2,options){let reply=await fetch(path2,options),data=await reply.json().catch(()=>({}));if(reply.
ok)return data;throw Object.assign(new Error(data.error??`The server says ${reply.status}.`),{status:reply.status})}function post(path2,data,signal){
return call(path2,{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify(data),signal})}var unreachable=error=>error instanceof
TypeError?"The server does not answer. Is it still running?":error.message,button=(words,go,attrs)=>{let made=h("button",
{type:"button",...attrs},words);return made.addEventListener("click",go),made};function dayWords(when,now){let day=time=>new Date(
time.getFullYear(),time.getMonth(),time.getDate()),ago=Math.round((day(now)-day(when))/864e5);return ago===0?"today":ago===
1?"yesterday":`on ${when.toLocaleDateString("en-GB",{day:"numeric",month:"long",year:"numeric"})}`}function stateWords({
alpha,questions,within,status,rule,state,missing},now){let day=`calibrated ${dayWords(new Date(state.calibrated),now)}`,
level=percent(1-alpha);return missing.length?`Nothing is promised: ${missing.join("; ")}. ${many(questions,"question")},\
 ${day}`:status!=="promised"?`${level}: ${rule}. ${many(questions,"question")}, ${day}`:`${level}: ${within} of ${many(questions,
"question")}, ${day}`}var changingWords=names=>names.length?`${many(names.length,"file")} changed: recalibrating`:"";function corner(changed){
let words=h("span",{}),now=h("span",{class:"serve-changing"}),news=h("p",{}),problem=alertBox(),part=h("div",{class:"ser\
ve-state"},h("p",{role:"status"},words,now),news,problem),timer;function show(state){words.textContent!==stateWords(state,
new Date)&&(words.textContent=stateWords(state,new Date)),now.textContent=changingWords(state.changing),now.hidden=!state.
changing.length,sayIn(news,state.news.join(" ")),sayIn(problem,state.problem&&`The newest files are not taken up: ${state.
problem}`),changed(state)}async function look(){clearTimeout(timer);let next=4e3;try{let state=await call("/api/state");
state.changing.length&&(next=1500),show(state)}catch(error){sayIn(problem,unreachable(error))}timer=setTimeout(look,next)}
return{part,look}}var marked2=([before2,inside,after=""])=>inside==null?[before2]:[before2,h("mark",{tabindex:-1},inside),
after];function textPart({sections}){return sections.map(({heading:name,page,parts})=>{let where=[name,page==null?"":`pa\
ge ${page}`].filter(Boolean).join(" › ");return h("section",{},where?heading(where):null,paragraph("words",...marked2(
parts)))})}function pagePart({page,title,rectangles,version},file){let width=Math.min(2e3,Math.round(1e3*Math.min(devicePixelRatio,
2))),src=`/api/page?${new URLSearchParams({document:file,page,width,version})}`,picture=h("img",{src,alt:`Page ${page} o\
f ${title}`,width}),boxes=rectangles.map(([left,top,right,bottom])=>svg("rect",{x:left,y:top,width:right-left,height:bottom-
top})),over=svg("svg",{viewBox:"0 0 1 1",preserveAspectRatio:"none","aria-hidden":!0},...boxes);return[div("page",picture,
over)]}function viewer(){let id=newId(),title=h("h2",{id}),note2=hint(),text2=h("div",{class:"serve-document",tabindex:0,
role:"region","aria-labelledby":id}),close=button("Close",()=>dialog.close()),head=h("div",{class:"serve-head"},title,close),
dialog=h("dialog",{"aria-labelledby":id},head,note2,text2);function reach2(){let mark=text2.querySelector("mark, rect");
mark?mark.scrollIntoView({block:"center"}):text2.scrollTop=0}async function open(location2,source){title.textContent=source,
sayIn(note2,"Opening …"),text2.replaceChildren(),dialog.open||dialog.showModal();try{let found=await post("/api/passag\
e",location2);sayIn(note2,found.note),text2.replaceChildren(...found.sections?textPart(found):pagePart(found,location2.document)),
await text2.querySelector("img")?.decode(),reach2()}catch(error){text2.replaceChildren(),sayIn(note2,error.name==="Encod\
ingError"?"The page cannot be drawn; open it again.":unreachable(error))}}return note2.setAttribute("role","status"),{dialog,
open}}function quotesPart(open){let warning=h("p",{class:"serve-warning",hidden:!0}),first=h("div",{class:"serve-first"}),
promise=h("details",{class:"serve-promise"}),listed2=h("details",{}),live=h("div",{"aria-live":"polite"},warning,first),
part=h("section",{"aria-label":"Quotes",hidden:!0},live,promise,listed2),source=({location:location2,source:name})=>{let title=`\
Open ${location2.document} at this passage`;return button(name,()=>open(location2,name),{class:"serve-source",title})},item=quote=>h(
"li",{},h("p",{},quote.text),source(quote),quote.p_value==null?null:span("num",`  p ${quote.p_value.toFixed(3)}`));function list({
quotes}){let{promised,short:short2,exact}=quotes.promise;promise.className=promised?"serve-promise":"serve-promise serve\
-missing",promise.replaceChildren(h("summary",{},short2),paragraph("hint",exact));let rows=quotes.listed.map(item);listed2.
replaceChildren(h("summary",{},`${many(rows.length,"sentence")} listed`),h("ol",{},...rows))}function show(answer){let{quotes}=answer;
part.hidden=!1,sayIn(warning,answer.warning),first.replaceChildren(...quotes.first?[h("blockquote",{},quotes.first.text),
source(quotes.first)]:[h("p",{},"Nothing is stored.")]),list(answer)}return{part,show,list}}function slider(open,turned){
let host=div("host"),stop;host.addEventListener("cfx-open",({detail:chunk})=>{let document2=chunk.id.slice(0,chunk.id.lastIndexOf(
"#")),location2={document:document2,cited_text:chunk.text,start_char_index:chunk.start};chunk.page!=null&&(location2.start_page_number=
chunk.page),open(location2,document2)});function show({explorer}){let view={...explorer.view,opens:!0},model=standIn({...explorer,
view,query:view.query,questions:[],asks:!1});model.on("change:alpha",()=>turned(model.get("alpha"))),stop?.(),stop=render(
{model,el:host})}return{host,show}}function offerRow({question,text:text2,answer,document:document2,sentence},done){let said=h(
"span",{role:"status"});async function confirm(){yes.disabled=!0,said.textContent="Calibrating again …";try{await post(
"/api/confirm",{question,sentence}),said.textContent="Thank you.",done()}catch(error){yes.disabled=!1,said.textContent=unreachable(
error)}}let yes=button("Yes",confirm,{"aria-label":`Yes: ${sentence}`});return h("li",{},h("p",{},h("b",{},text2),` The \
answer was given as “${answer}”. ${document2} says:`),h("p",{class:"serve-offer"},sentence),yes," ",said)}function offersPart(done){
let summary=h("summary",{}),rows=h("ul",{}),part=h("details",{class:"serve-offers",hidden:!0},summary,rows),shown="";function show(offers){
let now=JSON.stringify(offers);now!==shown&&(shown=now,part.hidden=!offers.length,summary.textContent=`Is this what you \
meant? ${many(offers.length,"calibration question")} to look at`,rows.replaceChildren(...offers.map(offer=>offerRow(offer,
done))))}return{part,show}}function fileRow(file,sent){let said=h("span",{role:"status"}),row2=h("li",{},h("b",{},file.name),
" ",said);async function send(replace){said.textContent="is sent …";try{let sends=new URLSearchParams({name:file.name,
replace}),{name}=await call(`/api/files?${sends}`,{method:"PUT",body:file});said.textContent=name===file.name?"is added.":
`is added as ${name}.`,sent()}catch(error){said.replaceChildren(unreachable(error)),error.status===409&&row2.append(again)}}
let again=button("Replace it",()=>{again.remove(),send("yes")});return{row:row2,send}}function filesPart(most,sent){let id=newId(),
field=h("input",{type:"file",multiple:!0,id}),rows=h("ul",{}),label=h("label",{for:id},"Add files: drop them anywhere on\
 this page, or choose"),part=h("section",{class:"serve-files","aria-label":"Add files"},label,field,rows);async function add(files){
for(let file of files){let{row:row2,send}=fileRow(file,sent);rows.append(row2),file.size>most()?row2.lastChild.textContent=
`holds more than ${many(most(),"byte")}; it was not sent.`:await send("")}}return field.addEventListener("change",async()=>{
await add([...field.files]),field.value=""}),{part,add}}function dropping(add){let over=on=>document.body.classList.toggle(
"serve-dropping",on),files=event=>event.dataTransfer?.types.includes("Files");addEventListener("dragover",event=>{files(
event)&&(event.preventDefault(),over(!0))}),addEventListener("dragleave",event=>{event.relatedTarget||over(!1)}),addEventListener(
"drop",event=>{files(event)&&(event.preventDefault(),over(!1),add([...event.dataTransfer.files]),document.querySelector(
".serve-files").scrollIntoView({block:"nearest"}))})}function askBox(id){let field=h("textarea",{rows:2,id,maxlength:2e3,
placeholder:"Type a question and press Enter"}),ask=h("button",{type:"submit"},"Ask"),examples=h("div",{class:"cfx-butto\
ns",role:"group","aria-label":"Examples"}),label=h("label",{for:id},"Question"),form=h("form",{class:"serve-ask"},label,
div("row",field,ask),examples);return onEnter(field,()=>form.requestSubmit()),{form,field,ask,examples}}function serve(root2){
let name=h("h1",{}),error=alertBox(),busy=hint(),{form,field,ask,examples}=askBox(newId()),{dialog,open}=viewer(),quotes=quotesPart(
open),old=h("p",{class:"serve-warning",role:"status",hidden:!0}),answer,alpha,state,wanted,later;async function asked(question,explorer2){
wanted?.abort(),wanted=new AbortController;let{signal}=wanted;sayIn(error,""),sayIn(busy,explorer2?"Looking …":""),ask.
setAttribute("aria-busy",explorer2);try{let found=await post("/api/ask",{question,alpha:levelText(alpha),explorer:explorer2},
signal),same=found.state.fingerprint===answer?.state.fingerprint;if(explorer2)show(found);else if(same)quotes.list(found);else
return asked(question,!0)}catch(failure){if(failure.name==="AbortError")return;sayIn(error,unreachable(failure))}sayIn(busy,
""),ask.setAttribute("aria-busy",!1)}let explorer=slider(open,now=>{alpha=now,clearTimeout(later),later=setTimeout(()=>asked(
answer.question,!1),250)});function show(found){answer=found,examples.remove(),quotes.show(found),explorer.show(found),outdated()}
function outdated(){let is=answer&&answer.state.fingerprint!==state?.state.fingerprint;old.hidden=!is,!(!is||old.firstChild)&&
old.append("The documents have changed since this answer. ",button("Ask again",()=>asked(answer.question,!0)))}function known(now){
alpha??=now.alpha,state=now,document.title=`${now.folder}: ask`,name.textContent=now.folder,offers.show(now.offers),examples.
childElementCount||examples.append(span("hint","such as"),...now.examples.map(exampleButton)),outdated()}let exampleButton=text2=>button(
text2,()=>{field.value=text2,form.requestSubmit()}),{part:stands,look}=corner(known),offers=offersPart(look),{part:files,
add}=filesPart(()=>state?.most_bytes??1/0,look);form.addEventListener("submit",event=>{event.preventDefault(),clearTimeout(
later),field.value.trim()&&asked(field.value.trim(),!0)}),dropping(add),busy.setAttribute("role","status"),sayIn(busy,"");
let top=h("header",{class:"serve-top"},name,stands),api=h("p",{class:"cfx-hint"},h("a",{href:"/api"},"Ask by a program"));
root2.replaceChildren(top,form,busy,error,old,quotes.part,explorer.host,offers.part,files,api,dialog),look(),field.focus()}
var root=globalThis.document?.getElementById("serve");if(root){let{token}=Object.fromEntries(new URLSearchParams(location.
search));token&&history.replaceState(null,"","/"),serve(root)}export{changingWords,dayWords,serve,stateWords};
