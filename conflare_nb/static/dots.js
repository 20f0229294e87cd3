function mix(x){return x=Math.imul(x^x>>>16,2146121005),x=Math.imul(x^x>>>15,2221713035),(x^x>>>16)>>>0}var starting=(seed,draw)=>mix(
mix(seed+2654435769|0)+draw|0),chance=(start,i)=>mix(start^Math.imul(i+1,2654435761));var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids);var heading=words=>h("div",{class:"cfx-heading",role:"heading","aria-level":3},words);var newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString("en-US");var keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag));function roundStep(span2,most){let ten=10**Math.floor(Math.log10(span2/most));return[1,2,5,10].map(x=>x*ten).find(step=>span2/
step<=most+1e-9)}var scale=(lo,hi,from,to)=>x=>from+(to-from)*(x-lo)/(hi-lo),box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(
1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`,path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more});var text=(x,y,words,more)=>svg("text",{x,y,...more},words);function tallest(view,ranges){let counts=[view.infinite,...ranges.map(([from,to])=>to-from)],[most,next=0]=counts.sort((a,b)=>b-
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
cfx-reach",y:TOP,x:EDGE}),cut=svg("rect",{x:0,y:0,height:1e3}),tip=paragraph("tip"),part=div("picture",root,tip),frame,known=[],
lineX=0;function show(scores,texts){let grouped=scores.length>MANY;known=grouped?[]:scores.map((score,i)=>({score,dot:circle(
"known",DOT,texts[i]),x:null})),known.grouped=grouped?[...scores].sort((a,b)=>a-b):null,lay()}function around(scores,W){
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
svg("defs",{},svg("clipPath",{id},cut)),behind,path("axis",`M${EDGE} ${axis2}H${W-EDGE}`),text(EDGE,axis2+low,near),text(
W-EDGE,axis2+low,far,{"text-anchor":"end"}),...known.grouped?layColumns():layDots(),...drawn(frame),line,...[over].filter(
Boolean)),glide(1)}function glide(t){known.forEach(one=>{one.x=one.from+(one.to-one.from)*t,one.dot.setAttribute("cx",one.
x.toFixed(1))}),stand(lineX)}function stand(x){lineX=x;let words=line.lastChild;if(!frame||!words)return;line.setAttribute(
"transform",`translate(${x.toFixed(1)} 0)`),words.setAttribute("text-anchor",x<70?"start":x>frame.W-70?"end":"middle");let read=Math.
max(0,x-EDGE);behind.setAttribute("width",read),behind.setAttribute("height",frame.ground-TOP),cut.setAttribute("width",
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
state),el:host.querySelector("div")})});return parts}var ASKED=100,NEW=4.5,AXIS=108;function shuffled(size,seed,draw){let start=starting(seed,draw),ticket=Array.from({length:size},
(_,i)=>chance(start,i));return ticket.map((_,i)=>i).sort((a,b)=>ticket[a]-ticket[b]||a-b)}function lineOf(known,misses){
return[...known].sort((a,b)=>a-b)[known.length-misses]??1/0}var sum=numbers=>numbers.reduce((a,b)=>a+b,0),ordinal=n=>n+([
"th","st","nd","rd"][n%100>10&&n%100<14?0:n%10]??"th");function lineWords(known,misses){let n=known.length,all=n+1,k=all-
misses;if(!misses)return[`${n} questions cannot promise that nothing is missed.`,"The honest line is: read everything."];
let same=known.filter(score=>score===lineOf(known,misses)).length>1,share=`${k}/${all} = ${Math.round(100*k/all)}%`,why=`\
The next question is the ${ordinal(all)}. It is as likely to land in each of the ${all} gaps between the dots, and ${k} \
of these lie left of the line: ${same?"at least ":""}${share}.`;return[`The line stands at dot ${k} of ${n}.`,why]}function roundWords(rounds,misses,n){
let promised=`Promised, on average: ${Math.round(100*(n+1-misses)/(n+1))} of ${ASKED}.`;if(rounds.length<2)return`${promised}\
 Draw others and ask again.`;let mean=Math.round(sum(rounds)/rounds.length);return`${promised} Your ${rounds.length} rou\
nds: ${rounds.slice(-12).join(", ")}. Their mean: ${mean}.`}var pause=ms=>new Promise(done=>setTimeout(done,still()?0:ms)),
wide=W=>Math.max(2*NEW,W/62);function fallingStrip(){let news=[],picture=strip({ends:()=>["← near the question","far a\
way →"],axis:()=>AXIS,depth:W=>26+10*wide(W)+NEW,drawn:({W,ground,X})=>(news.forEach(one=>{one.x=X(one.score)}),news.forEach(
fallen),[path("grid",`M${EDGE} ${ground}H${W-EDGE}`),...news.map(({dot})=>dot)])});function fallen(one){let{ground,W}=picture.
frame();one.dot.setAttribute("cx",one.x.toFixed(1)),one.dot.setAttribute("cy",(ground-NEW-one.row*wide(W)).toFixed(1))}function forget(){
news.forEach(({dot})=>dot.remove()),news=[]}function drop(scores,texts,qhat){forget();let{X,W}=picture.frame(),xs=scores.
map(X),rows=piles(xs,wide(W));news=scores.map((score,i)=>({score,x:xs[i],row:rows[i],dot:circle("new",NEW,texts[i])})),news.
forEach(({dot},i)=>colour(dot,scores[i]<=qhat)),picture.line.before(...news.map(({dot})=>dot))}function fall(t){let landed=0;
return news.forEach((one,i)=>{let own=Math.min(1,Math.max(0,(t*(news.length+14)-i)/14));fallen(one);let end=+one.dot.getAttribute(
"cy");one.dot.setAttribute("cy",(AXIS+(end-AXIS)*own*own).toFixed(1)),one.dot.toggleAttribute("hidden",own===0),landed+=
own===1}),landed}return{...picture,drop,fall,forget}}function render({model,el}){let{scores,texts,n,seed}=model.get("vie\
w"),all=scores.map(score=>score??1/0),id=newId(),slider=h("input",{type:"range",id,min:0,max:n/2,step:1,value:model.get(
"misses")}),accepted=h("b"),label=h("label",{for:id},"You accept ",accepted),ask=h("button",{type:"submit"},`Ask ${ASKED}\
 questions`),again=h("button",{type:"button"},`Draw another ${n}`),found=h("b"),more=span("hint"),said=h("p",{class:"cfx\
-dots-said",role:"status"},found," ",more),picture=fallingStrip(),lead=`${n===20?"Twenty":n} questions whose answer we k\
now. Each dot says how far from the question its answer lies. Put the line where a search may stop reading.`,form=h("for\
m",{class:"cfx-put"},label,slider,div("buttons",ask,again)),root=h("div",{class:"cfx cfx-dots",role:"group","aria-label":"\
Dots and a line"},heading("How far must a search read?"),paragraph("lead",lead),picture.part,form,said),[move,run]=[mover(),
mover()],draw=0,asked=0,known,rest,rounds=[],touched=!1,misses=()=>+slider.value,qhat=()=>lineOf(known.map(i=>all[i]),misses()),
textsOf=places=>places.map(i=>texts[i]??"");function say([first,then]){found.textContent=first,more.textContent=then}function explain(){
let of=`${misses()===1?"1 miss":`${misses()||"no"} misses`} in ${n+1}`;accepted.textContent=`${of} (alpha ${Math.round(100*
misses()/(n+1))}%)`;let words=lineWords(known.map(i=>all[i]),misses());slider.setAttribute("aria-valuetext",`${of}. ${words[0]}`),
picture.root.setAttribute("aria-label",`${n} dots, one for each known question. ${words[0]}`),say(words)}function put(ms=350){
run(0,()=>{}),picture.forget(),rounds=[],explain();let from=picture.at(),to=picture.placeOf(qhat());return move(ms,t=>picture.
stand(from+(to-from)*ease(t)))}function take(order){known=order.slice(0,n),rest=order.slice(n)}async function another(){
run(0,()=>{});let held=rounds,before=picture.places().map(({x})=>x).sort((a,b)=>a-b);take(shuffled(all.length,seed,++draw)),
known.sort((a,b)=>all[a]-all[b]),picture.show(known.map(i=>all[i]),textsOf(known)),picture.places().forEach((one,i)=>{one.
from=before[i]}),await move(500,t=>picture.glide(ease(t)))&&await put(),rounds=held}async function askAll(){let order=shuffled(
rest.length,seed+1,++asked).slice(0,ASKED).map(i=>rest[i]),line=qhat(),hits=order.map(i=>all[i]<=line);picture.stand(picture.
placeOf(line)),picture.drop(order.map(i=>all[i]),textsOf(order),line),said.setAttribute("aria-busy",!0);let landed=await run(
2400,t=>{let now=picture.fall(t);say([`${sum(hits.slice(0,now))} of ${now} found.`,roundWords([],misses(),n)])});said.removeAttribute(
"aria-busy"),landed&&(rounds.push(sum(hits)),say([`${rounds.at(-1)} of ${order.length} found.`,roundWords(rounds,misses(),
n)]))}async function play(){touched||still()||(picture.stand(14),await pause(500),!(touched||!await put(1400))&&(await pause(
1200),touched||askAll()))}let byHand=go=>e=>(touched=!0,go(e)),keep=keeper(model);slider.addEventListener("input",byHand(
()=>{keep("misses",misses()),put()})),onChange(model,{misses:()=>{model.get("misses")!==misses()&&(slider.value=model.get(
"misses"),put())}}),again.addEventListener("click",byHand(another)),form.addEventListener("submit",byHand(e=>{e.preventDefault(),
askAll()})),dragging(picture.root,byHand(x=>{let beyond=picture.places().filter(one=>one.to>x+7).length,next=Math.min(beyond+
1,n/2),to=x>picture.placeOf(1/0)-7?0:next;to!==misses()&&(slider.value=to,keep("misses",to),put(120))})),el.replaceChildren(
root),take(all.map((_,i)=>i)),known.sort((a,b)=>all[a]-all[b]);let stop=follow(root,el,()=>{picture.around(all,picture.root.
clientWidth||600),picture.stand(picture.placeOf(qhat()))});picture.show(known.map(i=>all[i]),textsOf(known)),explain();let seen=new IntersectionObserver(
([entry])=>{entry.isIntersecting&&(seen.disconnect(),play())},{threshold:.6});return seen.observe(root),()=>{seen.disconnect(),
stop()}}var dots_default=widget("dots",{render});export{dots_default as default,render};
