var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids),section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h(
"div",{class:"cfx-heading",role:"heading","aria-level":3},words);var card=(answers,...kids)=>h("li",{class:answers?"cfx-chunk cfx-answers":"cfx-chunk"},...kids),folded=(number,where,more,...kids)=>h(
"details",{},h("summary",{},span("rank",number),span("where",where),...more),...kids),newId=()=>"cfx"+Math.random().toString(
36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===1?"":"s"}`,keeper=model=>(name,value)=>{
model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)model.on("change:"+name,
draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before,under]=[step*p+before,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function ranked(alpha,r){let[
p,q]=exactParts(alpha);return Math.ceil(r*q/p)-1}var fewest=alpha=>ranked(alpha,1);function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.
exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(
alpha);return q===1e9?String(p/q):`${p}/${q}`}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`;var cut=words=>words.length>90?words.slice(0,89)+"…":words;function questionChoice(texts,id){let several=texts.length>1,options=texts.map((text,i)=>h("option",{value:i},cut(text))),
choice=h("select",{id:id+"q",hidden:!several},...options),label=several?h("label",{for:id+"q"},"Question"):h("b",{},"Que\
stion"),words=paragraph("saved");function show(i){choice.value=i,words.textContent=texts[i],words.hidden=several&&cut(texts[i])===
texts[i]}return{choice,parts:[label,choice,words],show}}function whyInfinite(view,alpha,k){let n=many(view.n,"question");
if(k<=view.n)return`For ${view.infinite} of ${n}, no chunk that answers was found.`;let few=view.n===1?"is too few":"are\
 too few";return`${n} ${few} for alpha = ${short(alpha)}; at least ${count(fewest(alpha))} are needed.`}function dial(id,{
name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decimal"}:{type:"number",min:0,
max:1,step},read=level?levelOf:text=>text?+text:NaN,slider=h("input",{type:"range",id,...range}),number=h("input",{...kind,
class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),` ${words}`),sides=h("d\
iv",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute("ari\
a-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2);
let[now,text]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.value=text),invalid(
!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.value))),number.addEventListener("input",()=>{
let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider,number,parts:[label,number,slider,sides],
stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),alphaDial=(id,more,fits,words="the share \
of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,"more misses"],range:small(about),fits,level:!0}),
note=words=>paragraph("note",words),summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span(
"key",h("i",{class:"cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids);var box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`,path=(kind,d,more)=>svg(
"path",{class:"cfx-"+kind,d,...more});function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function kept({n,scores},{steps,answers},alpha){let k=rank(n,alpha),qhat=k>scores.length?1/0:scores[k-1],[,chunks,tokens]=steps.
findLast(([below])=>below<k)??[0,0,0],answered=answers&&answers.some(place=>place<=chunks);return{k,qhat,chunks,tokens,answered}}
var at=(view,question,alpha)=>view.scores.map((score,i)=>kept(score,view.questions[question].columns[i],alpha));function summarise({
scores},alpha,shown){let sizes=scores.map(({name},i)=>`${name} ${count(shown[i].chunks)}`);return`Chunks at alpha = ${short(
alpha)}: ${sizes.join(", ")}.`}var guaranteed=alpha=>`Each score makes the same promise: for at least ${percent(1-alpha)}\
 of questions like the calibration questions, a chunk that answers is retrieved, or everything in the score’s reach is, \
on average over calibration sets.`;function limitWords(score,alpha,{k,qhat}){return qhat===1/0?`No finite threshold, so ${score.
everything} is kept. ${whyInfinite(score,alpha,k)}`:`${score.label} up to ${short(+qhat.toFixed(4))}`}function answerWords({
answers},{answered}){return answers==null?span("unknown","Which chunks answer is not known."):answered?span("yes",`✓ ans\
wered, rank ${answers[0]}`):answers.length?span("no",`✗ not answered; the chunk of rank ${answers[0]} would`):span("no",
"✗ no chunk in its reach answers")}var most=400,size=9,gap=3;function tally({answers},{chunks},W){let across=Math.max(
1,Math.floor((W+gap)/(size+gap))),drawn=Math.min(chunks,most),right=new Set(answers??[]),squares="",marks="";for(let i=0;i<
drawn;i++){let x=i%across*(size+gap),y=Math.floor(i/across)*(size+gap)+size;right.has(i+1)?marks+=`M${x+size/2} ${y-size}\
l${size/2} ${size}h${-size}z`:squares+=box(x,y,size,size)}return{height:Math.ceil(drawn/across)*(size+gap),parts:[path("\
within",squares),path("mark",marks)]}}function chunkItem(score,{chunks},{answers},[place,below],i){let chunk=chunks[place],
answer=!!answers?.includes(i+1),page=chunk.page==null?"":`page ${chunk.page}`,where=[chunk.title,chunk.heading,page].filter(
Boolean).join(" › "),p=(score.n+1-below)/(score.n+1),numbers=h("span",{class:"cfx-num",title:"p-value (not the probabi\
lity that the chunk answers)"},`p ${p.toFixed(3)}`);return card(answer,folded(i+1,where,[answer?span("yes","✓ answers"):
null,numbers],paragraph("text",chunk.text),paragraph("id",`${chunk.id} · ${many(chunk.tokens,"token")}`)))}function column(score){
let picture=svg("svg",{"aria-hidden":!0}),chunks=paragraph("size"),answer=paragraph("answer"),limit=hint(),more=hint(),list=h(
"ol",{class:"cfx-chunks","aria-label":`Chunks kept by ${score.name}`}),part=section(heading(score.name),chunks,answer,picture,
limit,list,more),items;function show(view,its){items=its.listed.map((row,i)=>chunkItem(score,view,its,row,i)),list.replaceChildren(
...items)}function paint(its,alpha,shown,W){let{chunks:found,tokens,qhat}=shown,{height,parts}=tally(its,shown,W),rest=found-
items.length;items.forEach((item,i)=>{item.hidden=i>=found}),list.hidden=!found,chunks.replaceChildren(h("b",{},many(found,
"chunk")),span("tokens",many(tokens,"token"))),answer.replaceChildren(answerWords(its,shown)),limit.textContent=limitWords(
score,alpha,shown),more.textContent=rest>0?`and ${count(rest)} more, counted but not listed`:"",picture.setAttribute("he\
ight",height),picture.replaceChildren(...parts),Object.assign(part.dataset,{n:found,tokens,qhat:qhat<1/0?short(qhat):"in\
f"})}return{part,show,paint,width:()=>part.clientWidth}}function alphaBox(id){let summary=summaryOf(id),guarantee=hint(),
{parts,stand,turned}=alphaDial(id,"more chunks",x=>x>0&&x<1);function paint(alpha,words){stand(alpha,short(alpha),`alpha\
 ${short(alpha)}`),summary.textContent=words,guarantee.textContent=guaranteed(alpha)}return{part:h("section",{class:"cfx\
-alpha"},...parts,summary,guarantee),paint,turned}}function render({model,el}){let id=newId(),keep=keeper(model),view=model.
get("view"),question=questionChoice(view.questions.map(({text})=>text),id),alphas=alphaBox(id),columns=view.scores.map(column),
warning=note("The guarantee holds for a score and an alpha chosen beforehand, not for ones picked because they look good\
 here."),colours=keys(key("within","a chunk that is kept"),key("mark","one that answers")),grid=div("compared-scores",...columns.
map(({part})=>part)),root=h("div",{class:"cfx"},div("question",...question.parts),alphas.part,colours,grid,warning),W=0,
asked=()=>view.questions[model.get("question")].columns;function paint(){let alpha=model.get("alpha"),shown=at(view,model.
get("question"),alpha);alphas.paint(alpha,summarise(view,alpha,shown)),columns.forEach((one,i)=>one.paint(asked()[i],alpha,
shown[i],W)),root.dataset.alpha=short(alpha)}function show(){question.show(model.get("question")),columns.forEach((one,i)=>one.
show(view,asked()[i])),paint()}return alphas.turned(alpha=>{warning.classList.add("cfx-on"),keep("alpha",alpha),paint()}),
question.choice.addEventListener("change",()=>{keep("question",+question.choice.value),show()}),el.replaceChildren(root),
show(),onChange(model,{alpha:paint,question:show}),follow(root,el,()=>{W=columns[0].width(),paint()})}var scores_default=widget(
"scores",{render,rank,at});export{at,scores_default as default,kept,render};
