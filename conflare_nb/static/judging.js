var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids),section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h(
"div",{class:"cfx-heading",role:"heading","aria-level":3},words),alertBox=()=>h("p",{class:"cfx-error",role:"alert",hidden:!0}),
sayIn=(element,words)=>{element.hidden=!words,element.textContent=words},card=(answers,...kids)=>h("li",{class:answers?"\
cfx-chunk cfx-answers":"cfx-chunk"},...kids),folded=(number,where,more,...kids)=>h("details",{},h("summary",{},span("ran\
k",number),span("where",where),...more),...kids);function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}var patience=say=>setTimeout(say,2e4,"Still waiting for the kernel.\
 If it was restarted, run the cell again.");function wire(model,root,error){let waiting,say=words=>sayIn(error,words),busy=on=>{clearTimeout(waiting),root.setAttribute(
"aria-busy",on),waiting=on&&patience(say)};busy(!1),model.on("change:heard",()=>{busy(!1),say(model.get("heard").error)});
function send(message){root.getAttribute("aria-busy")!=="true"&&(busy(!0),say(""),model.send({...message,key:model.get("\
view").key}))}return{send}}function progressBar(){let bar=h("progress",{"aria-label":"Progress"}),words=h("p",{class:"cf\
x-hint","aria-live":"polite"}),set=({progress,done,total})=>{words.textContent=progress,bar.max=total,bar.value=done};return{
part:div("progress",bar,words),set}}var sides=(asked,...about)=>div("sides",asked,div("side",...about)),entries=label=>h(
"ol",{class:"cfx-list","aria-label":label});function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function move(key,sign,words){return h("button",{type:"button",class:"cfx-move","aria-keyshortcuts":key},h("span",{"aria\
-hidden":"true"},sign),words,h("kbd",{"aria-hidden":"true"},key))}var allMoves=()=>({y:move("y","✓","Yes"),n:move("n",
"✗","No"),u:move("u","↶","Undo"),l:move("l","→","Later")}),messages={y:{type:"answer",answers:!0},n:{type:"answer",
answers:!1},u:{type:"undo"},l:{type:"put_off"}};function saidItem(chunk){let mark=chunk.answers?span("yes","✓ yes"):span(
"no","✗ no");return card(chunk.answers,folded(chunk.rank,chunk.where,[mark],paragraph("passage",chunk.text)))}function questionSide(moves,error,bar){
let question=h("p",{class:"cfx-asked","aria-live":"polite"}),answer=hint(),keys=paragraph("hint",span("idle","Click here\
 to use the keys y, n, u and l."),span("ready","The keys y, n, u and l work now.")),part=h("section",{class:"cfx-side"},
heading("Does the text answer the question?"),question,answer,div("moves",moves.y,moves.n,moves.u,moves.l),keys,error,bar);
function show(view){let may={y:view.chunk,n:view.chunk,u:view.can_undo,l:view.can_put_off};for(let key in may)moves[key].
setAttribute("aria-disabled",!may[key]);question.textContent=view.question||view.finished,answer.textContent=view.answer?
`Known answer: ${view.answer}`:"",answer.hidden=!view.answer}return{part,show}}function textSide(){let where=paragraph("\
where"),place=hint(),text=paragraph("passage"),part=h("article",{class:"cfx-chunk cfx-current","aria-live":"polite"},where,
place,text);function show({chunk,place:words}){part.hidden=!chunk,chunk&&(where.textContent=chunk.where,place.textContent=
words,text.textContent=chunk.text)}return{part,show}}function saidSide(){let title="Judged so far for this question",list=entries(
title),part=section(heading(title),list);function show({said}){part.hidden=!said.length,list.replaceChildren(...said.map(
saidItem).reverse())}return{part,list,show}}function listen(root,moves){root.addEventListener("keydown",e=>{let chosen=moves[e.
key.toLowerCase()];!chosen||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),e.stopPropagation(),e.repeat||chosen.click())})}
function render({model,el}){let moves=allMoves(),bar=progressBar(),error=alertBox(),asked=questionSide(moves,error,bar.part),
text=textSide(),said=saidSide(),root=h("div",{class:"cfx cfx-desk",role:"group","aria-label":"Judging",tabindex:0,"data-\
lm-suppress-shortcuts":"true"},sides(asked.part,text.part,said.part)),line=wire(model,root,error);function show(){let view=model.
get("view"),held=said.list.contains(document.activeElement);for(let side of[asked,text,said])side.show(view);bar.set(view),
held&&root.focus({preventScroll:!0})}for(let key in messages)moves[key].addEventListener("click",()=>{moves[key].getAttribute(
"aria-disabled")!=="true"&&line.send(messages[key])});return listen(root,moves),el.replaceChildren(root),show(),model.on(
"change:view",show),follow(root,el)}var judging_default=widget("judging",{render});export{judging_default as default,render};
