var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids);var section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h("div",{class:"cfx-he\
ading",role:"heading","aria-level":3},words),alertBox=()=>h("p",{class:"cfx-error",role:"alert",hidden:!0}),sayIn=(element,words)=>{
element.hidden=!words,element.textContent=words};var newId=()=>"cfx"+Math.random().toString(36).slice(2);function onEnter(field,go){field.addEventListener("keydown",e=>{e.key!=="Enter"||e.shiftKey||e.isComposing||(e.preventDefault(),
go())})}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,
green,blue,opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
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
state),el:host.querySelector("div")})});return parts}function writingForm(id,error,bar){let question=h("textarea",{rows:2,id:id+"q",placeholder:"as a user would ask it, with\
out having seen this text"}),answer=h("input",{type:"text",id:id+"a",autocomplete:"off",placeholder:"a few words, copied\
 from the text if possible"}),button=(type,words)=>h("button",{type},words),keep=button("submit","Keep"),mark=button("bu\
tton","Mark selected words"),other=button("button","Another document"),back=button("button","Undo the last one"),marked=h(
"p",{class:"cfx-hint","aria-live":"polite"}),form=h("form",{class:"cfx-side",novalidate:!0},heading("What might someone \
ask that this text answers?"),h("label",{for:id+"q"},"Question"),question,h("label",{for:id+"a"},"Short answer"),answer,
div("moves",keep,mark,other,back),marked,error,bar);return onEnter(question,()=>answer.focus()),{form,question,answer,keep,
mark,other,back,marked}}function listen({form,question,answer,marked:note,mark,other,back},marked,send,words){mark.addEventListener(
"mousedown",e=>e.preventDefault()),mark.addEventListener("click",()=>{let chosen=marked();note.textContent=chosen?`Marke\
d: “${chosen}”`:"Select words in the document first, then mark them."}),form.addEventListener("submit",e=>{e.preventDefault(),
send({type:"write",question:question.value,answer:answer.value,mark:words()})}),other.addEventListener("click",()=>send(
{type:"put_off"})),back.addEventListener("click",()=>send({type:"undo"}))}function documentPage(){let where=paragraph("w\
here"),text=h("div",{class:"cfx-passage cfx-page",role:"region","aria-label":"Document",tabindex:0,"data-lm-suppress-sho\
rtcuts":"true"}),part=h("article",{class:"cfx-chunk cfx-current"},where,text);function highlight(all,words){let at=words?
all.indexOf(words):-1;at<0?text.replaceChildren(all):text.replaceChildren(all.slice(0,at),h("mark",{},words),all.slice(at+
words.length))}return{part,where,text,highlight}}function selectedIn(text){let chosen=getSelection();return chosen.rangeCount&&
text.contains(chosen.getRangeAt(0).commonAncestorContainer)?String(chosen).trim():""}function writtenItem({question,answer}){
return h("li",{class:"cfx-chunk"},paragraph("where",question),hint(answer||"no short answer"))}function writtenList(){let list=entries(
"Written so far"),part=section(heading("Written so far"),list);function show({written}){part.hidden=!written.length,list.
replaceChildren(...written.map(writtenItem))}return{part,show}}function render({model,el}){let bar=progressBar(),error=alertBox(),
asked=writingForm(newId(),error,bar.part),page=documentPage(),written=writtenList(),root=h("div",{class:"cfx cfx-desk",role:"\
group","aria-label":"Writing questions"},sides(asked.form,page.part,written.part)),line=wire(model,root,error),words="",
shown,highlight=()=>page.highlight(model.get("view").text,words);function begin(view){words="",page.text.scrollTop=0,asked.
marked.textContent=view.note,asked.question.value=view.draft.question,asked.answer.value=view.draft.answer,root.contains(
document.activeElement)&&view.key&&asked.question.focus({preventScroll:!0})}function show(){let view=model.get("view"),now=JSON.
stringify([view.key,view.draft]);now!==shown&&begin(view),shown=now,page.where.textContent=view.where||view.finished,page.
text.hidden=!view.key,highlight();for(let name of["question","answer","keep","mark","other"])asked[name].disabled=!view.
key;asked.back.disabled=!view.can_undo,written.show(view),bar.set(view)}return listen(asked,()=>(words=selectedIn(page.text),
highlight(),words),line.send,()=>words),el.replaceChildren(root),show(),model.on("change:view",show),follow(root,el)}var writing_default=widget(
"writing",{render});export{writing_default as default,render};
