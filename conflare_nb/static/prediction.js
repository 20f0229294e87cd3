var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids);var hint=words2=>paragraph("hint",words2);var alertBox=()=>h("p",{class:"cfx-error",role:"alert",hidden:!0}),sayIn=(element,words2)=>{element.hidden=!words2,element.
textContent=words2};var newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===
1?"":"s"}`,keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function onEnter(field,go){field.addEventListener("keydown",e=>{e.key!=="Enter"||e.
shiftKey||e.isComposing||(e.preventDefault(),go())})}function lightness(element){let parts=getComputedStyle(element).backgroundColor.
match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){
for(let element=el;element;element=element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.
appendChild(h("i",{style:"background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){
let scheme=matchMedia("(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.
addEventListener("change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).
observe(root),()=>scheme.removeEventListener("change",theme)}function uncover(box){let places=[...document.querySelectorAll("h2, .cfx-prediction, .cfx-exercise, details.reveal")],next=places[places.
indexOf(box)+1];next?.matches("details.reveal")&&(next.open=!0)}var NUMBER=/^[ \u00a0\u202f]*(?![+-]?[1-9][0-9]{0,2},[0-9]{3}(?![0-9]))([+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+))[ \u00a0\u202f]*(%?)[ \u00a0\u202f]*$/;
function readOne(text){let found=NUMBER.exec(text.replace("−","-"));if(!found)return null;let number2=Number(found[1].
replace(",","."));return found[2]?number2/100:number2}function read(text){let[above,below=1]=text.split("/",3).map(readOne);
return above==null||below==null||below===0||text.split("/").length>2?null:above/below}var words=text=>text.split("`").map(
(part,i)=>i%2?h("code",{},part):part);var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before,under]=[step*p+before,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}var STORE="conflare_nb predictions",SCHEMA="conflare_nb.predictions/1",BROKEN="What this browser keeps of your predictio\
ns cannot be read.",UNKEPT="This browser keeps nothing for this page: what you lock is gone when you leave it.",CHANGED="\
conflare_nb-predictions",sound=p=>p&&[p.low,p.high,p.truth].every(Number.isFinite)&&p.low<p.high&&typeof p.unit=="string";
function stored(){let text=localStorage.getItem(STORE)??"{}",kept=[];try{kept=JSON.parse(text)??kept}catch{throw new Error(
BROKEN)}if(!Object.values(kept).every(sound))throw new Error(BROKEN);return kept}var why=error=>error.message===BROKEN?BROKEN:
UNKEPT;function store(kept){localStorage.setItem(STORE,JSON.stringify(kept)),dispatchEvent(new Event(CHANGED))}function meant(texts,unit){
let numbers=texts.map(read);if(numbers.includes(null))return null;if(unit!=="%")return numbers;let percent=texts.map(text=>text.
includes("%")),shares=numbers.every((x,i)=>percent[i]||Math.abs(x)<=1);return numbers.map((x,i)=>shares||percent[i]?Math.
round(x*1e11)/1e9:x)}var number=(x,unit)=>unit==="%"?`${x}%`:`${x}`,between=([low,high],unit)=>`${number(low,unit)} to ${number(
high,unit)}`;function refusal(numbers){return numbers?numbers[0]<numbers[1]?"":"The second number must be larger than th\
e first.":"Type two numbers, such as 12 and 30.5."}function verdict({truth,unit,said},[low,high]){let it=`It is ${number(
truth,unit)}. `,found="covers it.";return high<truth&&(found="misses it: too low."),truth<low&&(found="misses it: too hi\
gh."),`${it}Your interval, ${between([low,high],unit)}, ${found} ${said}`.trim()}function predict({model,el}){let asked=model.
get("asked"),{question,unit}=asked,onPage=model.get("static"),id=newId(),field=name=>h("input",{type:"text",inputmode:"d\
ecimal",autocomplete:"off","aria-label":name,"aria-describedby":id}),fields=[field("from"),field("to")],lock=h("button",
{type:"submit"},"Lock"),said=h("p",{class:"cfx-verdict",role:"status",id,tabindex:-1}),sure=hint("Be 90% sure: of ten su\
ch intervals, nine should hold the number. Once locked, it stays."),wrong=alertBox(),form=h("form",{},h("fieldset",{},h(
"legend",{},...words(question)),"between",fields[0],"and",fields[1],unit,lock)),root=h("div",{class:"cfx cfx-prediction",
role:"group","aria-label":"Prediction"},form,sure,said,wrong),keep=keeper(model),typed=()=>meant(fields.map(f=>f.value),
unit);function begin(){try{let before=stored()[question];before&&model.set("given",[before.low,before.high])}catch(error){
sayIn(wrong,why(error))}}function keepHere([low,high]){try{store({...stored(),[question]:{low,high,truth:asked.truth,unit}})}catch(error){
sayIn(wrong,why(error))}}function show(){let given=model.get("given");given.length&&(fields.forEach((f,i)=>{f.value=given[i],
f.readOnly=!0,f.setAttribute("aria-invalid",!1)}),lock.hidden=sure.hidden=!0,said.classList.toggle("cfx-yes",given[0]<=asked.
truth&&asked.truth<=given[1]),said.replaceChildren(...words(verdict(asked,given))),uncover(root))}return form.addEventListener(
"input",()=>{let now=typed();said.textContent=refusal(now)?"":`You say: ${between(now,unit)}.`}),form.addEventListener("\
submit",e=>{if(e.preventDefault(),model.get("given").length)return;let now=typed(),refused=refusal(now);for(let f of fields)
f.setAttribute("aria-invalid",!!refused);if(refused){said.textContent=refused;return}onPage&&keepHere(now),keep("given",
now),show(),said.focus()}),onEnter(form,()=>form.requestSubmit()),el.replaceChildren(root),onPage&&begin(),show(),onChange(
model,{given:show,fault:()=>sayIn(wrong,model.get("fault"))}),follow(root,el)}var scoreOf=({low,high,truth})=>Math.max(low-
truth,truth-high)/(high-low);function yourCoverage(kept,alpha=.1){let scores=Object.values(kept).map(scoreOf).sort((a,b)=>a-
b),place=rank(scores.length,alpha);return{n:scores.length,covered:scores.filter(s=>s<=0).length,place,widening:scores[place-
1]??1/0}}function coverageWords({n,covered,place,widening}){if(!n)return["No interval is locked yet: lock some in the le\
ssons of the path, and come back."];let said=[`${covered} of your ${many(n,"interval")} held the number: ${Math.round(100*
covered/n)}%. You meant to be right nine times in ten.`],at=`The threshold stands at place ⌈${n+1} × .9⌉ = ${place}\
 of ${n}`;if(widening===1/0)return[...said,`${at}, and there is no such place: a promise of 90% needs 9 intervals. With \
fewer, the only interval that can be promised is everything, from −∞ to ∞.`];let times=(1+2*widening).toFixed(2),how=widening>
0?`Widen each interval at both ends by ${widening.toFixed(2)} of its own width`:`You can afford to narrow each interval \
at both ends by ${(-widening).toFixed(2)} of its own width`;return[...said,`${at}. ${how}, so that it is ${times} times \
as wide, and ${place} of the ${n} hold their number. Do the same with your next interval: if it is one like these, it ho\
lds its number with a probability of at least 90%.`]}var HEADS=["question","your interval","it is","score, in widths"];function tableOf(kept){
let rows=Object.entries(kept).map(([question,p])=>{let score=scoreOf(p),found=[score<=0?"held ":span("no","missed "),score.
toFixed(2)],cells=[words(question),[between([p.low,p.high],p.unit)],[number(p.truth,p.unit)],found];return h("tr",{},...cells.
map((cell,i)=>h("td",{"data-head":HEADS[i]},...cell)))}),heads=HEADS.map(name=>h("th",{scope:"col"},name));return h("tab\
le",{},h("thead",{},h("tr",{},...heads)),h("tbody",{},...rows))}function download(kept){let text=JSON.stringify({schema:SCHEMA,
predictions:kept},null,1);return h("a",{download:"predictions.json",href:"data:application/json;charset=utf-8,"+encodeURIComponent(
text)},"Download them")}function review({model,el}){let onPage=model.get("static"),root=h("div",{class:"cfx cfx-predicti\
on",role:"group","aria-label":"Your coverage"}),forget=h("button",{type:"button"},"Forget them all");function show(){let kept;
try{kept=onPage?stored():model.get("entries")}catch(error){let broken=why(error)===BROKEN;root.replaceChildren(h("p",{role:"\
alert"},why(error)),broken?div("buttons",forget):"");return}let found=yourCoverage(kept),where=onPage?"They are kept in \
this browser and nowhere else.":`They are kept in ${model.get("where")} and nowhere else. Delete the file to begin again\
.`,keptWords=h("p",{class:"cfx-hint"},where," ",Object.keys(kept).length?download(kept):null),parts=coverageWords(found).
map(text=>h("p",{class:"cfx-words"},text));root.replaceChildren(...parts,found.n?tableOf(kept):"",keptWords,onPage&&Object.
keys(kept).length?div("buttons",forget):"")}forget.addEventListener("click",()=>{localStorage.removeItem(STORE),dispatchEvent(
new Event(CHANGED))}),el.replaceChildren(root),show(),addEventListener(CHANGED,show),addEventListener("storage",show);let stop=follow(
root,el);return()=>{removeEventListener(CHANGED,show),removeEventListener("storage",show),stop()}}var render=parts=>parts.
model.get("asked")?predict(parts):review(parts),prediction_default=widget("prediction",{render});export{coverageWords,prediction_default as default,meant,refusal,verdict,yourCoverage};
