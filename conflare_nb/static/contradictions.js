var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids),section=(...kids)=>h("section",{},...kids),hint=words=>paragraph("hint",words),heading=words=>h(
"div",{class:"cfx-heading",role:"heading","aria-level":3},words);var newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===
1?"":"s"}`,keeper=model=>(name,value)=>{model.set(name,value),model.save_changes()};function onChange(model,draws){for(let name in draws)
model.on("change:"+name,draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
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
x).toFixed(4)}%`;var qhatOf=qhat=>qhat<1/0?qhat.toFixed(4):"inf",cut=words=>words.length>90?words.slice(0,89)+"…":words,scoreText=({digits},score)=>score.
toFixed(digits),shareText=share=>`${+(100*share).toPrecision(2)}%`;function beside({shares},score){return shares?score?`\
share ${shareText(Math.exp(-score))}`:"best chunk":""}var axisTitle=({label})=>`${label} (lower = better)`,capital=words=>words[0].
toUpperCase()+words.slice(1);function qhatWords({score},qhat){return[scoreText(score,qhat),beside(score,qhat)].filter(Boolean).
join(", ")}function whyInfinite(view,alpha,k){let n=many(view.n,"question");if(k<=view.n)return`For ${view.infinite} of ${n}, no ch\
unk that answers was found.`;let few=view.n===1?"is too few":"are too few";return`${n} ${few} for alpha = ${short(alpha)}\
; at least ${count(fewest(alpha))} are needed.`}function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?
{type:"text",inputmode:"decimal"}:{type:"number",min:0,max:1,step},read=level?levelOf:text2=>text2?+text2:NaN,slider=h("\
input",{type:"range",id,...range}),number=h("input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h(
"label",{for:id},h("b",{},name),` ${words}`),sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},
`${ends[1]} →`)),invalid=is=>number.setAttribute("aria-invalid",is);function stand(position,value,words2){slider.value=
position,slider.setAttribute("aria-valuetext",words2);let[now,text2]=level?[position,levelText(position)]:[+value,value];
read(number.value)!==now&&(number.value=text2),invalid(!1)}function turned(go){slider.addEventListener("input",()=>go(of(
+slider.value))),number.addEventListener("input",()=>{let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{
slider,number,parts:[label,number,slider,sides],stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),
alphaDial=(id,more,fits,words="the share of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,
"more misses"],range:small(about),fits,level:!0}),note=words=>paragraph("note",words),summaryOf=id=>h("p",{class:"cfx-su\
mmary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span("key",h("i",{class:"cfx-key-"+kind}),words),keys=(...kids)=>paragraph(
"keys",...kids),row=(name,...cells)=>h("tr",{},h("th",{scope:"row"},name),...cells.map(cell=>h("td",{},cell)));function table(names,rows){
let heads=names.map(name=>h("th",{scope:"col"},name));return h("table",{},h("thead",{},h("tr",{},...heads)),rows)}function ticks(lo,hi,most){
let step=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??hi,out=[];for(let i=Math.ceil(
lo/step-1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}var scale=(lo,hi,from,to)=>x=>from+(to-from)*(x-lo)/(hi-lo);var path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more}),reach=(x,y,width,height)=>svg("rect",{class:"cfx-reach",
x,y,width:Math.max(0,width),height:Math.max(0,height)}),middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg("text",
{x,y,...more},words);var named=(x,y,words,left)=>text(x+(left?-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"end":"start"});function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function tally(view,retrieved){let found=view.sides.map(sides=>sides.filter(retrieved).length),every=found.filter((n,i)=>n===
view.sides[i].length).length;return[every,found.filter(Boolean).length-every,found.filter(n=>!n).length]}function at(view,alpha){
let k=rank(view.n,alpha),tallies={"within qhat":tally(view,side=>side.beyond<k)};for(let top of[1,view.top_k])tallies[`t\
op-${top} by distance`]=tally(view,side=>side.nearest<=top);return{k,qhat:view.scores[k-1]??1/0,tallies}}function counted(view,shown){
let[every,...others]=shown.tallies["within qhat"].map((n,i)=>`${view.words[i]}: ${count(n)}`);return[`${every} of ${count(
view.sides.length)}`,...others].join("; ")}function hereWords(view,sides,k){let inside=sides.filter(side=>side.beyond<k).
length;return inside===sides.length?view.words[0]:view.words[inside?1:2]}function summarise(view,shown,sides){let{k,qhat}=shown,
which=qhat<1/0?`qhat = ${qhatWords(view,qhat)} (k = ${k} of n = ${view.n}).`:`${capital(view.score.everything)} is retri\
eved.`,here=`Retrieved for this question: ${hereWords(view,sides,k)}.`;return`${which} ${here} For all questions, ${counted(
view,shown)}.`}function guaranteed(view,alpha,{k,qhat}){return qhat===1/0?whyInfinite(view,alpha,k):`For at least ${percent(
1-alpha)} of questions like the calibration questions, a chunk that answers is retrieved, or ${view.score.everything} is\
, on average over calibration sets. One side alone is enough to keep this promise.`}function lineLabel(view,sides,{k,qhat}){
let number=({score})=>score==null?"not in the pool":scoreText(view.score,score),where=side=>`${number(side)}, ${side.beyond<
k?"retrieved":"left out"}`,words=sides.map((side,i)=>`${view.names[i]}: ${where(side)}`),threshold=qhat<1/0?`qhat: ${scoreText(
view.score,qhat)}`:"qhat is infinite";return`${capital(view.score.label)}. ${words.join(". ")}. ${threshold}.`}var SHAPES=[
(x,y)=>`M${x-6} ${y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z`,(x,y)=>`M${x-5.5} ${y-5.5}h11v11h-11z`,(x,y)=>`M${x} ${y-6.5}l6.5 \
12h-13z`];function mark(i,x,y,inside){let out=inside?"":" cfx-out";return path(`side cfx-side-${i%3}${out}`,SHAPES[i%3](
+x.toFixed(1),y))}var glyph=(i,inside)=>svg("svg",{class:"cfx-glyph",width:16,height:16,"aria-hidden":!0},mark(i,8,8,inside));
function lineFrame(view,sides,W){let ends=[...view.scores.slice(0,1),...view.scores.slice(-1)],all=[...view.sides.flat().
map(side=>side.score),...ends].filter(score=>score!=null),lo=Math.min(...all),hi=Math.max(...all,lo+.01),left=14,right=W-
46,head=26;return{lo,hi,left,right,end:W-8,head,base:head+16+26*sides.length,X:scale(lo,hi,left,right),line:i=>head+18+26*
i}}function numberLine(view,sides,{k,qhat},W){let{lo,hi,left,right,end,head,base,X,line}=lineFrame(view,sides,W),finite=qhat<
1/0,x=finite?X(qhat):end,at2=({score})=>score==null?end-10:X(score),places=sides.map((side,i)=>`${at2(side).toFixed(1)} ${line(
i)}`),lost=sides.some(side=>side.score==null),digits=Math.min(view.score.digits,hi-lo<4?2:0);return[reach(0,head-6,x,base+
20-head),path("axis",`M0 ${base}H${end}`),path("far",view.scores.map(score=>`M${X(score).toFixed(1)} ${base+3}v9`).join(
"")),path("joins","M"+places.join("L")),...ticks(lo,hi,W<420?4:8).map(d=>text(X(d),base+28,d.toFixed(digits),middle)),finite&&
!lost?null:text(end-10,base+28,"inf",middle),text((left+right)/2,base+46,axisTitle(view.score),middle),path("line",`M${x.
toFixed(1)} ${head-12}V${base+14}`),...sides.map((side,i)=>mark(i,at2(side),line(i),side.beyond<k)),named(x,head-12,finite?
`qhat ${qhatWords(view,qhat)}`:"qhat infinite",x>Math.min(W*.6,W-180))].filter(Boolean)}function sideNumbers({score,total},side){
let nearest=`rank ${count(side.nearest)} of ${count(total)}`;if(side.score==null)return`not in the pool; by distance ${nearest}`;
let number=[scoreText(score,side.score),beside(score,side.score)].filter(Boolean).join(", ");return score.nearest?[nearest,
score.digits?`${score.word} ${number}`:null].filter(Boolean).join(" · "):`rank ${count(side.rank)} · score ${number} ·\
 by distance ${nearest}`}function sideCard(view,side,i){let sign=h("span",{}),said=h("b",{}),numbers=` · ${sideNumbers(
view,side)}`,item=h("li",{class:`cfx-chunk cfx-side-${i%3}`},paragraph("name",sign,h("b",{},view.names[i])),paragraph("s\
aid-so",said,numbers),paragraph("where",side.title),paragraph("id",[side.document,side.heading].filter(Boolean).join(" ›\
 ")),paragraph("words",side.text));function show(inside){sign.replaceChildren(glyph(i,inside)),said.textContent=inside?"\
retrieved":"left out",item.classList.toggle("cfx-off",!inside)}return{item,show}}function questionBox({questions},id){let option=(question,i)=>h(
"option",{value:i},`${i+1} of ${questions.length}: ${cut(question)}`),choice=h("select",{id:id+"q"},...questions.map(option)),
step=(sign,to)=>h("button",{type:"button","aria-label":`${to} question`},sign),previous=step("←","Previous"),next=step(
"→","Next"),words=h("p",{class:"cfx-saved","aria-live":"polite"}),label=h("label",{for:id+"q"},"Question"),part=div("q\
uestion",label,div("pick",choice,previous,next),words);return{choice,previous,next,words,part}}function legend({names}){
let named2=names.map((name,i)=>span("key",glyph(i,!0),name));return keys(...named2,span("key",glyph(0,!1),"hollow: left \
out"),key("tick","a calibration score"))}function alphaBox(view,id){let summary=summaryOf(id),promise=hint(),{parts,stand,
turned}=alphaDial(id,"more chunks",x=>x>0&&x<1);function paint(alpha,shown,sides){stand(alpha,short(alpha),`alpha ${short(
alpha)}, ${counted(view,shown)}`),summary.textContent=summarise(view,shown,sides),promise.textContent=guaranteed(view,alpha,
shown)}return{part:h("section",{class:"cfx-alpha"},...parts,summary,promise),paint,turned}}function figures(view){let line=svg(
"svg",{role:"img"}),rows=h("tbody"),questions=many(view.questions.length,"question"),title=view.score.word==="distance"?
"Distance of each side from the question":"Score of each side",parts=[section(heading(title),line,legend(view)),section(
heading(`Sides retrieved, for ${questions}`),table(["",...view.words],rows))];function paint(sides,shown,W){let tallyRow=([
rule,numbers])=>row(rule,...numbers.map(count));rows.replaceChildren(...Object.entries(shown.tallies).map(tallyRow)),line.
setAttribute("aria-label",lineLabel(view,sides,shown)),line.setAttribute("height",92+26*sides.length),W&&line.replaceChildren(
...numberLine(view,sides,shown,W))}return{parts,paint,width:()=>line.clientWidth}}function layout(view,id){let question=questionBox(
view,id),slider=alphaBox(view,id),charts=figures(view),warning=note("The guarantee holds for an alpha chosen beforehand,\
 not for one picked by what it retrieves."),list=h("ol",{class:"cfx-sides","aria-label":"Sides"}),left=div("left",slider.
part,...charts.parts,warning),root=h("div",{class:"cfx",role:"group","aria-label":"Contradiction viewer"},question.part,
div("body",left,list)),cards;function paint(i,alpha,W){let shown=at(view,alpha),{k,qhat,tallies}=shown;slider.paint(alpha,
shown,view.sides[i]),cards.forEach((card,j)=>card.show(view.sides[i][j].beyond<k)),charts.paint(view.sides[i],shown,W);let tally2=tallies["\
within qhat"].join(" ");Object.assign(root.dataset,{question:i,alpha:short(alpha),k,qhat:qhatOf(qhat),tally:tally2})}function show(i){
question.choice.value=i,question.words.textContent=view.questions[i],cards=view.sides[i].map((side,j)=>sideCard(view,side,
j)),list.replaceChildren(...cards.map(card=>card.item))}return{root,question,slider,warning,width:charts.width,paint,show}}
function render({model,el}){let view=model.get("view"),size=view.questions.length,keep=keeper(model),{root,question,slider,
warning,width,...draw}=layout(view,newId()),W=0,paint=()=>draw.paint(model.get("question"),model.get("alpha"),W);function show(){
draw.show(model.get("question")),paint()}function choose(i){keep("question",(i+size)%size),show()}return slider.turned(alpha=>{
keep("alpha",alpha),warning.classList.add("cfx-on"),paint()}),question.choice.addEventListener("change",()=>choose(+question.
choice.value)),question.previous.addEventListener("click",()=>choose(model.get("question")-1)),question.next.addEventListener(
"click",()=>choose(model.get("question")+1)),el.replaceChildren(root),show(),onChange(model,{alpha:paint,question:show}),
follow(root,el,()=>{W=width(),paint()})}var contradictions_default=widget("contradictions",{render,at});export{at,contradictions_default as default,render};
