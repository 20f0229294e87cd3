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
384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia("(prefers-color-scheme: dark)"),theme=()=>root.
classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener("change",theme),new ResizeObserver(()=>{width!==
root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(root),()=>scheme.removeEventListener("change",theme)}
var patience=say=>setTimeout(say,2e4,"Still waiting for the kernel. If it was restarted, run the cell again.");var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before,under]=[step*p+before,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function ranked(alpha,r){let[
p,q]=exactParts(alpha);return Math.ceil(r*q/p)-1}var fewest=alpha=>ranked(alpha,1);function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.
exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(
alpha);return q===1e9?String(p/q):`${p}/${q}`}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`,noBandWords="too few documents for a band";function foundBandWords(low,high,tied){if(low===null)return noBandWords;
let least=percent(Math.floor(low*1e3+1e-6)/1e3);return tied?`at least ${least}`:`${least} to ${percent(Math.ceil(high*1e3-
1e-6)/1e3)}`}var noBand=(low,high)=>low===0&&high===1,bandWords=(low,high)=>noBand(low,high)?noBandWords:foundBandWords(
low,high,high===1),qhatOf=qhat=>qhat<1/0?qhat.toFixed(4):"inf",cut=words=>words.length>90?words.slice(0,89)+"…":words,
shareText=share=>`${+(100*share).toPrecision(2)}%`;function beside({shares},score){return shares?score?`share ${shareText(
Math.exp(-score))}`:"best chunk":""}function questionChoice(texts,id){let several=texts.length>1,options=texts.map((text2,i)=>h(
"option",{value:i},cut(text2))),choice=h("select",{id:id+"q",hidden:!several},...options),label=several?h("label",{for:id+
"q"},"Question"):h("b",{},"Question"),words=paragraph("saved");function show(i){choice.value=i,words.textContent=texts[i],
words.hidden=several&&cut(texts[i])===texts[i]}return{choice,parts:[label,choice,words],show}}function whyInfinite(view,alpha,k){
let n=many(view.n,"question");if(k<=view.n)return`For ${view.infinite} of ${n}, no chunk that answers was found.`;let few=view.
n===1?"is too few":"are too few";return`${n} ${few} for alpha = ${short(alpha)}; at least ${count(fewest(alpha))} are ne\
eded.`}var row=(name,...cells)=>h("tr",{},h("th",{scope:"row"},name),...cells.map(cell=>h("td",{},cell)));function table(names,rows){
let heads=names.map(name=>h("th",{scope:"col"},name));return h("table",{},h("thead",{},h("tr",{},...heads)),rows)}function ticks(lo,hi,most){
let step=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??hi,out=[];for(let i=Math.ceil(
lo/step-1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}function roundStep(span2,most){let ten=10**
Math.floor(Math.log10(span2/most));return[1,2,5,10].map(x=>x*ten).find(step=>span2/step<=most+1e-9)}var scale=(lo,hi,from,to)=>x=>from+
(to-from)*(x-lo)/(hi-lo),box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.
toFixed(1)}z`,path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more});var middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg("text",{x,y,...more},words);var named=(x,y,words,left)=>text(x+(left?-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"end":"start"});function tallest(view,ranges){let counts=[view.infinite,...ranges.map(([from,to])=>to-from)],[most,next=0]=counts.sort((a,b)=>b-
a);return next>2&&most>4*next?2*next:Math.max(1,most)}var TOP=26,EDGE=14,MANY=150,DOT=7;function piles(xs,width){let high={};return xs.map(x=>{let bin=Math.round(x/width);return high[bin]=
(high[bin]??-1)+1,high[bin]})}var ease=t=>1-(1-t)**3,still=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function mover(){
let current=0;return(ms,step)=>new Promise(done=>{let mine=++current;if(still())return step(1),done(!0);let begun=performance.
now(),frame=()=>{if(mine!==current)return done(!1);let t=Math.min(1,(performance.now()-begun)/ms);step(t),t<1?requestAnimationFrame(
frame):done(!0)};frame()})}function dragging(root,go,apart){let place=e=>go(e.clientX-root.getBoundingClientRect().left);
root.addEventListener("pointerdown",e=>{e.button||apart&&e.target.closest(apart)||(root.setPointerCapture(e.pointerId),place(
e))}),root.addEventListener("pointermove",e=>{root.hasPointerCapture(e.pointerId)&&place(e)})}var circle=(kind,r,words)=>{
let dot=svg("circle",{class:"cfx-dot",r,"data-kind":kind});return words&&(dot.words=words),dot};function colour(dot,found){
dot.setAttribute("class",found?"cfx-dot cfx-found":"cfx-dot cfx-missed")}function columns(scores,{X,axis}){let finite=scores.
filter(Number.isFinite),infinite=scores.length-finite.length,width=roundStep(finite.at(-1)-finite[0]||1,80),bins=[];for(let score of finite){
let bin=Math.max(0,Math.ceil((score-finite[0])/width-1e-9));bins[bin]=(bins[bin]??0)+1}let ranges=Array.from(bins,n=>[0,
n??0]),top=tallest({infinite},ranges),Y=scale(0,top,0,axis-TOP-12),d="",high=[];return ranges.forEach(([,n],bin)=>{let right=X(
finite[0]+bin*width),left=Math.max(EDGE,X(finite[0]+(bin-1)*width));n&&(d+=box(left+.5,axis,Math.max(1,right-left-1),Y(Math.
min(n,top)))),n>top&&high.push(text(right+5,TOP+12,`${count(n)} ↑`,{class:"cfx-tower"}))}),infinite&&(d+=box(X(1/0)-5,
axis,10,Y(Math.min(infinite,top)))),{d,high}}function strip({ends,axis,depth,low=18,drawn=()=>[],over=null,next,ask=null}){
let id=newId(),root=svg("svg",{class:"cfx-strip",role:"img"}),line=svg("g",{class:"cfx-stop"}),behind=svg("rect",{class:"\
cfx-reach",y:TOP,x:EDGE}),cut2=svg("rect",{x:0,y:0,height:1e3}),tip=paragraph("tip"),part=div("picture",root,tip),frame,
known=[],lineX=0;function show(scores,texts){let grouped=scores.length>MANY;known=grouped?[]:scores.map((score,i)=>({score,
dot:circle("known",DOT,texts[i]),x:null})),known.grouped=grouped?[...scores].sort((a,b)=>a-b):null,lay()}function around(scores,W){
let finite=scores.filter(Number.isFinite),[lo,hi]=finite.length?[Math.min(...finite),Math.max(...finite)]:[0,1],space=(hi-
lo||1)*.03,place=scale(lo-space,hi+space,EDGE,W-40),high=axis(W),X=score=>score<1/0?place(score):W-16;frame={W,axis:high,
ground:high+depth(W),X},known.forEach(one=>{one.x=null}),lay()}function layDots(){let r=Math.min(DOT,Math.max(3.5,frame.
W/(1.2*known.length))),xs=known.map(({score})=>frame.X(score)),rows=piles(xs,2*r+1),step=Math.min(2*r+1,(frame.axis-TOP-
2*r-12)/Math.max(...rows));return root.classList.toggle("cfx-dense",step<r),known.forEach((one,i)=>{Object.assign(one,{from:one.
x??xs[i],to:xs[i]}),one.dot.setAttribute("r",r),one.dot.setAttribute("cy",frame.axis-r-3-rows[i]*step),one.dot.toggleAttribute(
"data-ask",!!ask&&!!one.dot.words)}),known.map(({dot})=>dot)}function layColumns(){let{d,high}=columns(known.grouped,frame);
return[path("missed",d),path("found",d,{"clip-path":`url(#${id})`}),...high]}function lay(){if(!frame)return;let{W,axis:axis2,
ground}=frame;root.setAttribute("height",ground+12),line.replaceChildren(path("line",`M0 ${TOP}V${ground}`),svg("circle",
{class:"cfx-grip",r:9,cy:axis2}),text(0,16,"stop reading here",{class:"cfx-qhat"}));let[near,far]=ends();root.replaceChildren(
svg("defs",{},svg("clipPath",{id},cut2)),behind,path("axis",`M${EDGE} ${axis2}H${W-EDGE}`),text(EDGE,axis2+low,near),text(
W-EDGE,axis2+low,far,{"text-anchor":"end"}),...known.grouped?layColumns():layDots(),...drawn(frame),line,...[over].filter(
Boolean)),glide(1)}function glide(t){known.forEach(one=>{one.x=one.from+(one.to-one.from)*t,one.dot.setAttribute("cx",one.
x.toFixed(1))}),stand(lineX)}function stand(x){lineX=x;let words=line.lastChild;if(!frame||!words)return;line.setAttribute(
"transform",`translate(${x.toFixed(1)} 0)`),words.setAttribute("text-anchor",x<70?"start":x>frame.W-70?"end":"middle");let read=Math.
max(0,x-EDGE);behind.setAttribute("width",read),behind.setAttribute("height",frame.ground-TOP),cut2.setAttribute("width",
x.toFixed(1));for(let one of known){let found=one.x<=x;one.found!==found&&colour(one.dot,found),one.found=found}}function placeOf(score){
if(score===1/0)return frame.W-EDGE;let x=frame.X(score);return!next||known.grouped?x+.5:Math.max(x+.5,Math.min(x+10,(x+frame.
X(next(score)))/2))}return root.addEventListener("pointerover",({target})=>{if(tip.textContent=target.words??"",!target.
words)return;let x=+target.getAttribute("cx");tip.style.left=`${Math.max(0,Math.min(x-130,frame.W-260))}px`,tip.style.top=
`${+target.getAttribute("cy")+14}px`}),root.addEventListener("pointerleave",()=>{tip.textContent=""}),root.addEventListener(
"click",({target})=>{target.hasAttribute("data-ask")&&ask(target.words)}),{part,root,line,show,around,lay,glide,stand,placeOf,
at:()=>lineX,places:()=>known,frame:()=>frame}}function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function movedRank({n,moved},alpha){let[p,q]=exactParts(alpha).map(BigInt),[c,of]=moved.c.map(BigInt);return n+1-Number(
BigInt(n+1)*p*c/(q*of))}function at(view,alpha,slides=!1){let k=slides?movedRank(view,alpha):rank(view.n,alpha),i=k-1;if(k>
view.scores.length){let sure=view.score.pool||slides?null:1;return{k,qhat:1/0,chunks:view.total,tokens:view.total_tokens,
low:sure,high:sure}}let[low,high]=slides?[null,null]:[view.low[i],view.high[i]];return{k,qhat:view.scores[i],chunks:view.
within[i],tokens:view.within_tokens[i],low,high}}function roundest(from,to,fits){for(let step of[.1,.05,.01,.005,.001,5e-4,
1e-4,1e-5,1e-6,1e-7,1e-8,1e-9]){let first=Math.max(1,Math.ceil(from/step-1e-9));for(let times2 of[first,first+1]){let alpha=+(times2*
step).toPrecision(9);if(alpha<to&&fits(alpha))return alpha}}return null}function levels(view,slides=!1){let[lo,hi]=slides?
[view.moved.lo,view.moved.hi]:[0,.5],all=(view.n+1)*(slides?view.moved.c[0]/view.moved.c[1]:1),found=[];for(let spent=Math.
floor(all*hi+1e-9);spent>=Math.floor(all*lo+1e-9);spent--){let fits=alpha2=>alpha2>=lo&&alpha2<=hi&&at(view,alpha2,slides).
k===view.n+1-spent,alpha=roundest(Math.max(spent/all,lo),(spent+1)/all,fits);if(alpha==null)continue;let{qhat,chunks}=at(
view,alpha,slides),last=found.at(-1);last?.qhat===qhat&&last.chunks===chunks&&found.pop(),found.push({alpha,qhat,chunks})}
return found}function calibratedK({n,ks},alpha){return ks?ks[rank(n,alpha)-1]??1/0:null}function topOf({total,total_tokens,
lengths},k){return k>=total?{chunks:total,tokens:total_tokens}:{chunks:k,tokens:lengths[k]}}function everyView({view,others=[],
texts=[]}){let all=[...view.chunks,...texts],chunkOf=([place,answers,score,distance,p_value,sentences])=>({...all[place],
answers,score,distance,p_value,sentences}),whole=other=>({...view,...other,chunks:other.chunks.map(chunkOf)});return[view,
...others.map(whole)]}var listed=({sentences},alpha)=>sentences.filter(([,,p])=>p>alpha);function pieces(chunk,alpha){let letters=[
...chunk.text],cuts=listed(chunk,alpha).flatMap(([start,end])=>[start,end]);return[0,...cuts].map((from,i)=>letters.slice(
from,cuts[i]).join(""))}function missesWords(alpha){for(let q of[...Array.from({length:19},(_,i)=>i+2),25,50,100,200,500,
1e3]){let p=Math.round(alpha*q);if(p&&Math.abs(p/q-alpha)<1e-9)return`${many(p,"miss").replace("misss","misses")} in ${count(
q)}`}let of=10**Math.max(2,1-Math.floor(Math.log10(alpha)));return`about ${Math.round(alpha*of)} in ${count(of)}`}var times=alpha=>count(
+(1/alpha).toPrecision(2));function readWords(view,{qhat,chunks}){let passages2=many(chunks,"passage");return qhat<1/0?chunks?
`Reads ${passages2}.`:"Reads nothing: no passage is near enough.":`Reads ${view.score.everything}: ${passages2}.`}function foundWords(view,alpha,{
chunks},slides,promised){let first=firstAnswer(view);return first==null?["hint","Nobody has said what answers it."]:first&&
first<=chunks?["yes","Found."]:!first&&view.outside?["no","Missed: what answers is not in the pool."]:promised?slides?["\
no",`Missed: that counts ${times(alpha)}.`]:["no",`Missed: one of the ${percent(alpha)} that you allow.`]:["no","Missed."]}
function movedWords({moved,population}){let[lo,hi]=[percent(moved.lo),percent(moved.hi)],between=moved.lo<.1&&moved.hi>.1?
"at 10% ten, ":"";return`Slide between ${lo} and ${hi} as you like, also after seeing the list. Count every question you\
 ask: a miss at ${lo} counts ${times(moved.lo)}, ${between}at ${hi} ${times(moved.hi)}; a hit, or a list of everything, \
counts nothing. On average over ${population}, and over calibration sets, that is at most 1 a question. However you slid\
e, at most ${Math.ceil(100*moved.c[0]/moved.c[1]*moved.hi-1e-9)}% of such questions are missed.`}var qhatText=({score},qhat)=>[
qhat.toFixed(Math.min(2,score.digits)),beside(score,qhat)].filter(Boolean).join(", ");function summarise(view,alpha,{k,qhat,
chunks,tokens}){let size=`${many(chunks,"chunk")}, ${many(tokens,"token")}`;return qhat<1/0?`alpha = ${short(alpha)}, qh\
at = ${qhatText(view,qhat)} (k = ${k} of n = ${view.n}): ${size}.`:`alpha = ${short(alpha)}, qhat infinite: ${view.score.
everything} is retrieved, ${size}.`}var ofWhom=(view,words)=>view.group_label?`${words} of ${view.group_label}`:words,EVERYTHING="\
Every question that the knowledge base answers is covered, at the price of retrieving all of it.",POOL="Every question t\
hat a chunk in the pool answers is covered; the others are not.",UNPROMISED="These thresholds promise nothing.";function guaranteed(view,alpha,{
qhat}){if(qhat===1/0)return view.score.pool?POOL:EVERYTHING;let lost=`${view.infinite} of ${many(view.n,"calibration que\
stion")}`,beyond=view.infinite?` Nothing that answers was found for ${lost}, so a finite one can cover less than this.`:
"";return`For at least ${percent(1-alpha)} of ${view.population}, a chunk that answers is retrieved, or ${view.score.everything}\
 is, on average over calibration sets.${beyond}`}function coverageWords(view,{qhat,low,high}){if(low==null&&qhat<1/0)return"\
The coverage of an alpha that moves is no number.";if(low==null)return"Questions with no answer in the pool are not cove\
red, and how many there are is not known.";if(qhat===1/0)return"Everything is retrieved, so every question that the know\
ledge base answers is covered.";let words=`Coverage with this calibration set: ${bandWords(low,high)}`;if(noBand(low,high))
return`${words} (n = ${view.n}).`;let ties=high===1?" Scores tie with the threshold, so it may cover more.":"";return`${words}\
 (90% band, n = ${view.n}).${ties}`}function aboutScores(view){let{label,word,shares}=view.score,lost=view.infinite?` Fo\
r ${view.infinite} of them, no such chunk was found (inf).`:"",kind=word==="score"?`, ${label}`:"",best=shares?" A score\
 of 0 means that the best chunk answers.":"",asked=ofWhom(view,many(view.n,"calibration question"));return`The nonconfor\
mity score of ${view.n===1?"":"each of "}${asked}: the ${word} of the first chunk that answers it${kind}.${best}${lost}`}
var firstAnswer=({answer_ranks})=>answer_ranks&&(answer_ranks[0]??0),NEAR={distance:"← near the question",rank:"← firs\
t",score:"← fits best"},FAR={distance:"far away →",rank:"last →",score:"fits worse →"};function passages({chunk_scores,
answer_ranks},chunks,{X,axis,W}){let near="",far="",answers="",seen=chunk_scores.filter(score=>X(score)<W-24);seen.forEach(
(score,i)=>{let tick=`M${X(score).toFixed(1)} ${axis+4}v14`;i<chunks?near+=tick:far+=tick});for(let rank2 of answer_ranks??
[]){let x=rank2<=seen.length?X(seen[rank2-1]):W-EDGE;rank2<=chunk_scores.length&&(answers+=`M${x.toFixed(1)} ${axis+3}v1\
6m0 1l-5 8h10z`)}return[path("far",far),path("near",near),path("mark",answers)]}function bandChart(alpha,{low,high},W){let asked=1-
alpha,lo=Math.min(asked,.4),left=16,right=W-20,y=30,place=scale(lo,1,left,right),X=share=>place(Math.max(share,lo)),x=X(
asked);return[path("track",`M${left} ${y}H${right}`),low==null||noBand(low,high)?null:path("band",`M${X(low).toFixed(1)}\
 ${y}H${Math.max(X(high),X(low)+3).toFixed(1)}`),...ticks(lo,1,W<420?4:7).map(share=>text(X(share),y+24,percent(share),middle)),
path("line",`M${x.toFixed(1)} 8V${y+10}`),named(x,15,`asked for: ${W<420?"":"1 - alpha = "}${percent(asked)}`,x>W*.5)].filter(
Boolean)}function opener(chunk){let button=h("button",{type:"button"},"Open the document here"),detail={bubbles:!0,detail:chunk};
return button.addEventListener("click",()=>button.dispatchEvent(new CustomEvent("cfx-open",detail))),button}function chunkItem(view,chunk,i){
let{score}=view,page=chunk.page==null?"":`page ${chunk.page}`,where=[chunk.title,chunk.heading,page].filter(Boolean).join(
" › "),title=`${score.label} and p-value; the p-value is not the probability that the chunk answers`,numbers2=[chunk.score.
toFixed(Math.min(2,score.digits)),beside(score,chunk.score),`p ${chunk.p_value.toFixed(2)}`].filter(Boolean).join("  "),
far=score.word==="distance"?"":` · distance ${chunk.distance.toFixed(2)}`;return card(chunk.answers,folded(i+1,where,[chunk.
answers?span("yes","✓ answers"):null],h("p",{class:"cfx-num",title},numbers2),paragraph("id",`${chunk.id} · ${many(chunk.
tokens,"token")}${far}`),view.opens?opener(chunk):null),paragraph("text",chunk.text))}var RULE="A chunk is retrieved whe\
n p > alpha; p is not the probability that it answers.",MOVED_RULE=RULE.replace("alpha","c*alpha"),marked=(chunk,alpha)=>pieces(
chunk,alpha).map((words,i)=>i%2?h("mark",{},words):words);function markedWords({quoted},alpha,shown,promised){let all=quoted.
filter(p=>p>alpha).length,here=shown.reduce((sum,chunk)=>sum+listed(chunk,alpha).length,0);return`: sentences that may a\
nswer; ${all} listed${promised?", with a promise of their own":""}, ${here} of them in the chunks shown`}var LIVELY=12;function chunkList(promised){
let list=h("ol",{class:"cfx-chunks",tabindex:0,"aria-label":"Retrieved chunks"}),more=h("li",{class:"cfx-more"}),ghost=h(
"li",{class:"cfx-ghost",hidden:!0}),legend=hint(),items,seen,answer;function show(view){items=view.chunks.map((chunk,i)=>chunkItem(
view,chunk,i)),items.forEach(item=>{item.hidden=!0}),legend.hidden=!view.quoted,seen=null,answer=firstAnswer(view),ghost.
hidden=!0,list.replaceChildren(...items,ghost,more),list.scrollTop=0}function mark(view,alpha,chunks){let shown=view.chunks.
slice(0,chunks);shown.forEach((chunk,i)=>items[i].lastChild.replaceChildren(...marked(chunk,alpha))),legend.replaceChildren(
h("mark",{},"marked"),markedWords(view,alpha,shown,promised))}function come(item,lively){clearTimeout(item.going),item.hidden=
!1,item.classList.remove("cfx-leaving"),item.classList.toggle("cfx-coming",lively)}function go(item,lively){item.classList.
remove("cfx-coming","cfx-glows"),item.classList.toggle("cfx-leaving",lively),lively?item.going=setTimeout(()=>{item.hidden=
!0},200):item.hidden=!0}function follow2(before,last){if(!answer)return;let[was,is]=[answer<=before,answer<=last];is&&!was&&
items[answer-1]?.classList.add("cfx-glows"),was&&!is&&(ghost.textContent=`The answer was here: passage ${answer}.`),was!==
is&&(ghost.hidden=is)}function paint(view,alpha,{chunks,tokens,qhat}){view.quoted&&mark(view,alpha,chunks);let last=Math.
min(chunks,items.length),before=seen??0,lively=seen!=null&&!still()&&Math.abs(last-seen)<=LIVELY;for(let i=before;i<last;i++)
come(items[i],lively);for(let i=last;i<before;i++)go(items[i],lively);seen!=null&&follow2(before,last),seen=last,more.hidden=
chunks>0&&chunks<=items.length,more.textContent=chunks?`and ${count(chunks-items.length)} more, counted above but not li\
sted here`:"No passage lies within the threshold: the answer is farther away, or not in this knowledge base.",Object.assign(
list.dataset,{n:chunks,alpha:short(alpha),qhat:qhatOf(qhat),tokens})}function lead(rank2){let item=items[rank2-1];item?.
scrollIntoView({block:"nearest"}),item?.querySelector("summary").focus()}return{part:h("section",{class:"cfx-passages"},
legend,list),show,paint,lead}}function holdsAnswer(first,chunks,lead,no){if(first==null)return"unknown";if(!first||first>
chunks)return span("no",`✗ ${no}`);let words=`✓ yes, rank ${first}`,button=h("button",{type:"button",class:"cfx-yes"},
words);return button.addEventListener("click",()=>lead(first)),button}function comparedRows(view,alpha,now,slides,lead){
let{outside,top_k}=view,first=firstAnswer(view),no=first===0&&outside?"not in the pool":"no",promised=slides?"moved":`≥ ${percent(
1-alpha)}`,line=(name,{chunks,tokens},guarantee)=>row(name,count(chunks),count(tokens),holdsAnswer(first,chunks,lead,no),
guarantee),rows=[line("within qhat",now,promised)],k=slides?null:calibratedK(view,alpha);if(k!=null){let calibrated=topOf(
view,k);rows.push(line(`calibrated k = ${calibrated.chunks}`,calibrated,promised))}return[...rows,line(`top-${top_k}`,topOf(
view,top_k),"none")]}function numbers(lead,promised){let summary=paragraph("summary"),guarantee=hint(),coverage=hint(),about=hint(),
rule=hint(),title=heading(),rows=h("tbody"),band=svg("svg",{height:60,role:"img"}),names=["retrieved by","chunks","token\
s","has an answer",...promised?["guaranteed coverage"]:[]],parts=[section(summary,guarantee),section(table(names,rows)),
section(title,about,rule),...promised?[section(heading("Coverage"),band,coverage)]:[]],part=h("details",{class:"cfx-numb\
ers"},h("summary",{},"more: the numbers by name"),div("two",...parts));function show(view){let{word,nearest}=view.score;
title.textContent=ofWhom(view,"Calibration scores"),about.textContent=aboutScores(view),rule.replaceChildren(`A passage \
is a chunk; ${nearest?"nearest":"best"} first, with ${word} and p-value. `,"")}function paint(view,alpha,now,slides){let compared=comparedRows(
view,alpha,now,slides,lead);promised||compared.forEach(line=>line.lastElementChild.remove()),rows.replaceChildren(...compared),
summary.textContent=summarise(view,alpha,now),sayIn(guarantee,promised?slides?"":guaranteed(view,alpha,now):UNPROMISED),
rule.lastChild.textContent=slides?MOVED_RULE.replace("c*",`${(view.moved.c[0]/view.moved.c[1]).toFixed(2)} `):RULE,coverage.
textContent=coverageWords(view,now),band.setAttribute("aria-label",coverage.textContent),part.open&&band.replaceChildren(
...bandChart(alpha,now,band.clientWidth||500))}return{part,show,paint}}function exampleChoice(questions){let options=questions.
map(question=>h("option",{value:question},cut(question)));return h("select",{"aria-label":"Examples"},h("option",{value:""},
"or choose an example …"),...options)}function questionBox(model,live,id){let field=h("textarea",{rows:1,id:id+"q",placeholder:"\
Ask something, or try to fool it",spellcheck:"false"}),search=h("button",{type:"submit"},"Search"),ask=h("button",{type:"\
button",title:"Have the model answer from the chunks retrieved at this alpha"}),examples=exampleChoice(live?model.get("q\
uestions"):[]),buttons=[search,model.get("can_ask")?ask:null,examples.length>1?examples:null],parts=[h("label",{for:id+"\
q"},"Question"),field,div("buttons",...buttons)];return{form:h("form",{class:"cfx-question"},...parts),field,search,ask,
examples,error:alertBox()}}function savedBox(model,form,id){let views=everyView({view:model.get("view"),others:model.get(
"others"),texts:model.get("texts")}),{choice,parts,show}=questionChoice(views.map(view=>view.query),id),works=views.length>
1?`the slider and ${views.length} questions work`:"the slider works";form.replaceChildren(...parts,hint(`This page is sa\
ved: ${works}. To ask your own, use conflare ask, conflare serve or a notebook.`)),choice.addEventListener("change",()=>{
show(choice.value),model.set("view",views[choice.value])}),show(0)}function listen(model,{form,field,ask,examples},begin){
let submit=()=>{let query=field.value.trim();return query&&begin(query),query};form.addEventListener("submit",e=>{e.preventDefault(),
submit()}),onEnter(field,submit),examples.addEventListener("change",()=>{field.value=examples.value,examples.value="",submit()}),
ask.addEventListener("click",()=>{if(model.get("reply")?.running)return model.send({type:"stop"});let query=submit();query&&
model.send({type:"ask",query,alpha:model.get("alpha")})})}function replyWords({running,query,alpha,chunks}){let from=chunks==
null?"":`, from ${many(chunks,"chunk")}`,asked=`“${query}” at alpha = ${short(alpha)}${from}`;return running?`Writin\
g an answer to ${asked} …`:`The model’s answer to ${asked}`}function replyBox(ask){let from=hint(),forecast=hint(),words=paragraph(
"words"),unlike=paragraph("unlike"),part=h("section",{class:"cfx-reply","aria-label":"Answer",hidden:!0},from,unlike,forecast,
words);function show(reply){ask.textContent=reply.running?"Stop":"Write",part.hidden=reply.alpha==null,!part.hidden&&(part.
setAttribute("aria-busy",!!reply.running),from.textContent=replyWords(reply),sayIn(unlike,reply.warning||""),sayIn(forecast,
reply.forecast||""),words.textContent=[reply.text,reply.error].filter(Boolean).join(`

`),words.classList.toggle("cfx-error",!!reply.error))}return{part,show}}var SPAN=1e3;function modes(id){let radio=(value,words)=>{
let input=h("input",{type:"radio",name:id+"m",value}),price=span("price");return{input,price,part:h("label",{},input,h("\
b",{},words)," ",price)}},fixed=radio("fixed","fixed"),moved=radio("moved","I slide"),part=h("div",{class:"cfx-modes",role:"\
radiogroup","aria-label":"alpha is"},fixed.part,moved.part);function paint(view,alpha,slides){if(part.hidden=!view.moved,
!view.moved)return;fixed.input.checked=!slides,moved.input.checked=slides;let{lo,hi}=view.moved,there=Math.min(hi,Math.max(
lo,alpha)),[one,other]=[at(view,alpha).chunks,at(view,there,!0).chunks],more=other>one?`, ${count(other-one)} more`:"";fixed.
price.textContent=many(one,"passage"),moved.price.textContent=many(other,"passage")+(there===alpha?more:` at ${percent(there)}`)}
return{part,paint,turned:go=>[fixed,moved].forEach(({input})=>input.addEventListener("change",()=>go(moved.input.checked)))}}
function stripBox(id,ask){let allowed=span("allowed"),read=h("b"),missed=h("b"),said=h("p",{class:"cfx-verdict",id:id+"s",
"aria-live":"polite"},allowed," ",read," ",missed),why=hint(),slider=h("input",{type:"range",id:id+"a",min:0,max:SPAN,step:"\
any","aria-describedby":id+"s"}),number=h("input",{type:"text",inputmode:"decimal",class:"cfx-number","aria-label":"alph\
a, as a number"}),means=h("span"),label=h("label",{for:id+"a"},h("b",{},"alpha"),means),view,stops,now,go,strokes=svg("g",
{"pointer-events":"none"}),mark=frame=>strokes.replaceChildren(...passages(view,now?.view===view?now.chunks:0,frame)),picture=strip(
{ends:()=>[NEAR[view.score.word],FAR[view.score.word]],axis:W=>W<560?84:128,depth:()=>24,low:38,drawn:frame=>(mark(frame),
[]),over:strokes,next:score=>Math.min(...[view.scores,view.chunk_scores].map(all=>all.find(each=>each>score)??1/0)),ask}),
stick=div("stick",said,why,picture.part,slider),move=mover(),placeOf=({qhat})=>picture.placeOf(qhat);function nearest(x){
let far=stops.map(stop=>Math.abs(placeOf(stop)-x));return stops[far.indexOf(Math.min(...far))]}let width=()=>picture.frame().
W-2*EDGE,index=()=>stops.findLastIndex(({qhat,chunks})=>qhat<=now.qhat&&chunks<=now.chunks),STEPS={ArrowRight:1,ArrowUp:1,
ArrowLeft:-1,ArrowDown:-1,PageUp:10,PageDown:-10,Home:-1e9,End:1e9};slider.addEventListener("keydown",e=>{let step=STEPS[e.
key];if(!step||e.ctrlKey||e.metaKey||e.altKey)return;e.preventDefault();let to=Math.min(stops.length-1,Math.max(0,index()+
step));go(stops[to].alpha)}),slider.addEventListener("input",()=>go(nearest(EDGE+slider.value/SPAN*width()).alpha)),dragging(
picture.root,x=>go(nearest(x).alpha),"[data-ask]"),number.addEventListener("input",()=>{let value=levelOf(number.value),
fits=value>0&&value<1&&(!now.slides||value>=view.moved.lo&&value<=view.moved.hi);number.setAttribute("aria-invalid",!fits),
fits&&go(value)});let known=({scores,infinite})=>[...scores,...Array(infinite).fill(1/0)];function around(){picture.around(
[...view.scores,...view.chunk_scores.slice(0,1)],picture.root.clientWidth||600),slider.style.width=`${width()+20}px`,slider.
style.marginLeft=`${EDGE-10}px`}function show(newView){view=newView,stops=null,picture.show(known(view),view.known??[])}
function stand(){if(!picture.frame())return;let to=placeOf(now);return slider.value=SPAN*(to-EDGE)/width(),to}function paint(alpha,found,slides,promised){
(!stops||slides!==now.slides)&&(stops=levels(view,slides));let first=now?.view!==view;now={...found,slides,view},means.textContent=
slides?", moved as you like":", the share of misses you allow";let[kind,words]=foundWords(view,alpha,now,slides,promised);
allowed.textContent=slides?`A miss counts ${times(alpha)}.`:`You allow ${missesWords(alpha)}.`,read.textContent=readWords(
view,now),missed.textContent=words,missed.className="cfx-"+kind,sayIn(why,now.qhat<1/0?"":whyInfinite(view,alpha,now.k)),
slider.setAttribute("aria-valuetext",`alpha ${short(alpha)}, ${many(now.chunks,"passage")}`),levelOf(number.value)!==alpha&&
(number.value=levelText(alpha)),number.setAttribute("aria-invalid",!1);let beyond=now.qhat<1/0?known(view).filter(score=>score>
now.qhat).length:0;picture.root.setAttribute("aria-label",`${many(view.n,"calibration score")} and a line. ${said.textContent}\
 Scores beyond qhat: ${beyond}.`);let to=stand();if(to==null)return;mark(picture.frame());let from=picture.at();first?picture.
stand(to):move(250,t=>picture.stand(from+(to-from)*ease(t)))}return{stick,label,number,show,paint,turned:call=>{go=call},
resized:()=>{around(),now?.view===view&&(move(0,()=>{}),picture.stand(stand()))}}}var BEFOREHAND="The guarantee holds fo\
r an alpha chosen beforehand, not for one picked by what it retrieves";function render({model,el}){let id=newId(),live=!model.
get("static"),keep=keeper(model),question=questionBox(model,live,id);live||savedBox(model,question.form,id);let promised=model.
get("promised")!==!1,asks=model.get("asks")!==!1,reply=replyBox(question.ask),box2=stripBox(id,live&&asks?begin:null),mode=modes(
id),chunks=chunkList(promised),more=numbers(chunks.lead,promised),unlike=h("p",{class:"cfx-unlike",role:"status",hidden:!0}),
warning=paragraph("note"),set=div("set-alpha",box2.label,box2.number,mode.part),body=div("body",unlike,box2.stick,set,warning,
chunks.part,more.part),root=h("div",{class:"cfx cfx-explorer"},asks?question.form:null,question.error,reply.part,body),view,
moved=!1,waiting,slides=()=>!!(view.moved&&model.get("slides"));function paint(){let alpha=model.get("alpha"),now=at(view,
alpha,slides());box2.paint(alpha,now,slides(),promised),mode.paint(view,alpha,slides()),chunks.paint(view,alpha,now),more.
paint(view,alpha,now,slides());let rather=view.moved?": for that, choose “I slide”.":".";sayIn(warning,slides()?movedWords(
view):moved&&promised?BEFOREHAND+rather:"")}function busy(on,error){let say=words=>sayIn(question.error,words);root.setAttribute(
"aria-busy",on),question.search.disabled=on,question.search.textContent=on?"Searching …":"Search",clearTimeout(waiting),
on&&(waiting=patience(say)),say(error)}let search=()=>busy(live&&model.get("query")!==view.query,model.get("error")||""),
answered=()=>{let said=model.get("reply")||{};reply.show(live||said.query===view.query?said:{})};function show(){view=model.
get("view"),live||answered(),sayIn(unlike,view.warning??""),box2.show(view),more.show(view),chunks.show(view),question.field.
value!==view.query&&(question.field.value=view.query),resized(),paint(),search()}function resized(){root.isConnected&&view&&
box2.resized()}function begin(query){query!==view.query&&(model.set("error",""),keep("query",query),search())}return box2.
turned(alpha=>{moved=!0,keep("alpha",alpha),paint()}),mode.turned(on=>{let alpha=model.get("alpha"),{lo,hi}=view.moved;on&&
(alpha<lo||alpha>hi)&&model.set("alpha",Math.min(hi,Math.max(lo,alpha))),keep("slides",on),paint()}),more.part.addEventListener(
"toggle",paint),listen(model,question,begin),el.replaceChildren(root),show(),answered(),onChange(model,{alpha:paint,slides:paint,
view:show,query:search,error:search,reply:answered}),follow(root,el,resized)}var explorer_default=widget("explorer",{render,
rank,at,levels,calibratedK,topOf,everyView,pieces,missesWords});export{at,calibratedK,explorer_default as default,everyView,levels,missesWords,pieces,render,topOf};
