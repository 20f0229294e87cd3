var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e});var paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids);var section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h("div",{class:"cfx-he\
ading",role:"heading","aria-level":3},words);var newId=()=>"cfx"+Math.random().toString(36).slice(2);var keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}function choice(id,label,options,choose){let inputs=new Map,labels=options.map(([value,words])=>{let input=h("input",{type:"\
radio",name:id});return input.addEventListener("change",()=>choose(value)),inputs.set(value,input),h("label",{},input,` ${words}`)});
return{part:h("div",{class:"cfx-mode",role:"radiogroup","aria-label":label},...labels),show:value=>{inputs.get(value).checked=
!0}}}function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}var two=x=>x.toFixed(2),inText=(pieces,make)=>pieces.map((words,i)=>i%2?make(words,(i-1)/2):words),wordAt=(pieces,i)=>pieces[2*
i+1],shade=cosine=>Math.round(60*Math.max(cosine,0)**2);function summarise({asked,passage,weights,cosines,best,similarity},i,mean){
if(mean)return`One mean vector each: cosine ${two(similarity)}. Which words match is lost in the mean.`;let found=`“${wordAt(
passage,best[i])}”, cosine ${two(cosines[i][best[i]])}`;return`“${wordAt(asked,i)}” counts ${Math.round(100*weights[i])}\
%. Best match: ${found}.`}function questionWords({asked,weights},pick){let most=Math.max(...weights),words=[],row=h("p",
{class:"cfx-asked",role:"group","aria-label":"Words of the question"});row.append(...inText(asked,(text,i)=>{let size=.85+
.75*Math.sqrt(weights[i]/most),word=h("button",{type:"button",class:"cfx-word",style:`--size: ${two(size)}em`},text);for(let name of[
"focus","pointerenter","click"])word.addEventListener(name,()=>pick(i));return words.push(word),word}));let steps={ArrowRight:1,
ArrowDown:1,ArrowLeft:-1,ArrowUp:-1,Home:-words.length,End:words.length};return row.addEventListener("keydown",e=>{if(!(e.
key in steps))return;e.preventDefault();let next=words.indexOf(e.target)+steps[e.key];words[Math.max(0,Math.min(next,words.
length-1))].focus()}),{row,words}}var WAYS=[[!0,"one mean vector each"],[!1,"word by word"]];function render({model,el}){
let keep=keeper(model),view=model.get("view"),change=(name,value)=>{model.get(name)!==value&&(keep(name,value),paint())},
mode=choice(newId(),"How they are compared",WAYS,mean=>change("mean",mean)),{row,words}=questionWords(view,i=>change("wo\
rd",i)),found=[],passage=h("p",{class:"cfx-passage"},...inText(view.passage,(text,j)=>(found.push(h("span",{class:view.leads[j]?
"cfx-led":null},text)),found[j]))),summary=h("p",{class:"cfx-summary","aria-live":"polite"}),totals=hint(`All best match\
es, weighed: MX ${two(view.match)}. The best sentence, underlined: MX ${two(view.led)}.`),about=hint("The larger a word,\
 the more it counts. Point at one, or move with Tab and the arrow keys."),root=h("div",{class:"cfx"},mode.part,section(heading(
"Question"),row,about),summary,totals,section(heading("Passage, as the model reads it"),hint(view.source),passage));function paint(){
let mean=model.get("mean"),chosen=model.get("word");mode.show(mean),root.classList.toggle("cfx-mean",mean),summary.textContent=
summarise(view,chosen,mean),totals.hidden=about.hidden=mean,words.forEach((word,i)=>{word.disabled=mean,word.tabIndex=i===
chosen?0:-1,word.setAttribute("aria-pressed",!mean&&i===chosen)}),found.forEach((word,j)=>{let cosine=view.cosines[chosen][j];
word.style.setProperty("--shade",`${mean?0:shade(cosine)}%`),!mean&&j===view.best[chosen]?word.dataset.cosine=two(cosine):
delete word.dataset.cosine})}return el.replaceChildren(root),paint(),onChange(model,{word:paint,mean:paint}),follow(root,
el)}var matches_default=widget("matches",{render,shade});export{matches_default as default,render,shade};
