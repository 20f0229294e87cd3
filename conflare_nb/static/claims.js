var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e});var paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h("span",{class:"cfx-"+kind},...kids),
section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h("div",{class:"cfx-headin\
g",role:"heading","aria-level":3},words);var newId=()=>"cfx"+Math.random().toString(36).slice(2);var keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}function choice(id,label,options,choose){let inputs=new Map,labels=options.map(([value,words])=>{let input=h("input",{type:"\
radio",name:id});return input.addEventListener("change",()=>choose(value)),inputs.set(value,input),h("label",{},input,` ${words}`)});
return{part:h("div",{class:"cfx-mode",role:"radiogroup","aria-label":label},...labels),show:value=>{inputs.get(value).checked=
!0}}}var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole2=billionths(
alpha);if(whole2/1e9===alpha)return[whole2,1e9];let[p,q,before,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){
let step=Math.floor(x);if([p,q,before,under]=[step*p+before,step*q+under,p,q],!(q<=1e4))return[whole2,1e9];if(p/q===alpha)
return[p,q]}}function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.
round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(alpha);return q===1e9?String(p/q):`${p}/${q}`}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9));function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decimal"}:{type:"\
number",min:0,max:1,step},read=level?levelOf:text=>text?+text:NaN,slider=h("input",{type:"range",id,...range}),number=h(
"input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),` ${words}`),
sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute(
"aria-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2);
let[now,text]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.value=text),invalid(
!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.value))),number.addEventListener("input",()=>{
let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider,number,parts:[label,number,slider,sides],
stand,turned}}var summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"});function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}var FIRST=.01,STEP=.005,LAST=.5,whole=share=>Math.round(100*share)+"%",LOSSES=[["any","no unsupported sentence is kept"],
["share","few of the kept sentences are unsupported"]];function levelAt(rows,alpha){let i=Math.floor((alpha-FIRST)/STEP+
1e-6);return rows[Math.max(0,Math.min(i,rows.length-1))]}function sentence({text,support,nearest,source}){let mark=span(
"rank",""),words=span("claim",text),behind=hint(`support ${support.toFixed(3)}; backed up best by: “${nearest}” (${source}\
)`),part=h("li",{class:"cfx-chunk"},h("details",{},h("summary",{},mark,words),behind));return{part,keep:kept=>{part.classList.
toggle("cfx-dropped",!kept),mark.textContent=kept?"kept":"dropped"},support}}function render({model,el}){let id=newId(),
keeps=keeper(model),view=model.get("view"),change=(name,value)=>{keeps(name,value),paint()},alpha=dial(id+"a",{name:"alp\
ha",words:"the share of mistakes you allow",ends:["fewer sentences","more mistakes"],range:{min:FIRST,max:LAST,step:STEP,
"aria-describedby":id+"s"},step:STEP,fits:x=>x>=FIRST&&x<=LAST}),mode=choice(id,"What is promised",LOSSES,loss=>change("\
loss",loss)),sentences=view.claims.map(sentence),summary=summaryOf(id),price=hint(""),root=h("div",{class:"cfx"},section(
heading(view.question),...alpha.parts,mode.part),summary,price,h("ol",{class:"cfx-claims"},...sentences.map(one=>one.part)));
function paint(){let at=model.get("alpha"),loss=model.get("loss"),[threshold,kept,empty]=levelAt(view.levels[loss],at),stays=sentences.
map(one=>threshold!=null&&one.support>threshold);sentences.forEach((one,i)=>one.keep(stays[i]));let count2=stays.filter(
Boolean).length;alpha.stand(at,short(at),`alpha ${short(at)}: ${count2} sentences kept`),mode.show(loss),summary.textContent=
`${count2} of ${stays.length} sentences are kept.`,price.textContent=`Of the ${view.n} answers that calibrate, ${whole(empty)}\
 are left empty, and ${whole(kept)} of their sentences are kept.`}return el.replaceChildren(root),paint(),onChange(model,
{alpha:paint,loss:paint}),alpha.turned(value=>change("alpha",value)),follow(root,el)}var claims_default=widget("claims",
{render,levelAt});export{claims_default as default,levelAt,render};
