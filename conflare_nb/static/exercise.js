var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids);var newId=()=>"cfx"+Math.random().toString(36).slice(2);var keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function onEnter(field,go){field.addEventListener("keydown",e=>{e.key!=="Enter"||e.
shiftKey||e.isComposing||(e.preventDefault(),go())})}function lightness(element){let parts=getComputedStyle(element).backgroundColor.
match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){
for(let element=el;element;element=element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.
appendChild(h("i",{style:"background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){
let scheme=matchMedia("(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.
addEventListener("change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).
observe(root),()=>scheme.removeEventListener("change",theme)}function uncover(box){let places=[...document.querySelectorAll("h2, .cfx-prediction, .cfx-exercise, details.reveal")],next=places[places.
indexOf(box)+1];next?.matches("details.reveal")&&(next.open=!0)}var NUMBER=/^[ \u00a0\u202f]*(?![+-]?[1-9][0-9]{0,2},[0-9]{3}(?![0-9]))([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+))[ \u00a0\u202f]*(%?)[ \u00a0\u202f]*$/;
function readOne(text){let found=NUMBER.exec(text.replace("−","-"));if(!found)return null;let number=Number(found[1].replace(
",","."));return found[2]?number/100:number}function read(text){let[above,below=1]=text.split("/",3).map(readOne);return above==
null||below==null||below===0||text.split("/").length>2?null:above/below}var words=text=>text.split("`").map((part,i)=>i%
2?h("code",{},part):part);function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function replyTo({replies,unread},number){return number==null?unread:replies.find(reply=>reply.low<=number&&number<=reply.
high)??unread}function numberField({question},id){let input=h("input",{id,type:"text",inputmode:"decimal",autocomplete:"\
off","aria-describedby":id+"s"});return{parts:[h("label",{for:id},...words(question)),input],marked:input,get:()=>input.
value,set:text=>{input.value=text},number:()=>read(input.value)}}function choiceField({question,choices},id){let inputs=choices.
map((_,i)=>h("input",{type:"radio",name:id,value:i})),labels=choices.map((choice,i)=>h("label",{},inputs[i],h("span",{},
...words(choice)))),attrs={role:"radiogroup","aria-labelledby":id+"q","aria-describedby":id+"s"},group=h("fieldset",attrs,
h("legend",{id:id+"q"},...words(question)),...labels),place=()=>inputs.findIndex(input=>input.checked);return{parts:[group],
marked:group,set:text=>inputs.forEach((input,i)=>{input.checked=choices[i]===text}),get:()=>choices[place()]??"",number:()=>place()<
0?null:place()}}function folded(title,text){if(!text)return null;let body=h("p",{class:"cfx-words",tabindex:-1},...words(
text)),part=h("details",{},h("summary",{},title),body);return part.addEventListener("toggle",()=>{part.open&&body.focus()}),
part}var PATIENCE=3;function render({model,el}){let exercise=model.get("exercise"),id=newId(),field=exercise.choices.length?
choiceField(exercise,id):numberField(exercise,id),said=h("p",{class:"cfx-verdict",role:"status",id:id+"s"}),form=h("form",
{},...field.parts,h("button",{type:"submit"},"Check")),folds=div("folds",folded("Hint",exercise.hint),folded("Worked sol\
ution",exercise.solution)),root=h("div",{class:"cfx cfx-exercise",role:"group","aria-label":"Exercise"},form,said,folds),
keep=keeper(model),wrong=0;function reply(){let found=replyTo(exercise,field.number()),right=found===exercise.replies[0];
!right&&found!==exercise.unread&&(wrong+=1),field.marked.setAttribute("aria-invalid",!right),said.classList.toggle("cfx-\
yes",right),right&&uncover(root),said.replaceChildren(...words([found.words,right||wrong<PATIENCE?"":exercise.offer].join(
" ").trim()))}function show(){field.get()!==model.get("given")&&(field.set(model.get("given")),reply())}return form.addEventListener(
"submit",e=>{e.preventDefault(),reply(),keep("given",field.get())}),onEnter(form,()=>form.requestSubmit()),el.replaceChildren(
root),show(),onChange(model,{given:show}),follow(root,el)}var exercise_default=widget("exercise",{render});export{exercise_default as default,read,render,replyTo};
