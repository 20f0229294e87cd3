var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids);var heading=words=>h("div",{class:"cfx-heading",role:"heading","aria-level":3},words);var newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===
1?"":"s"}`;function onChange(model,draws){for(let name in draws)model.on("change:"+name,draws[name])}function lightness(element){let parts=getComputedStyle(element).backgroundColor.match(/[\d.]+/g)??[0,0,0,0],[red,green,blue,
opacity=1]=parts.map(Number);return opacity>.5?red+green+blue:null}function onDark(el){for(let element=el;element;element=
element.parentElement){let light=lightness(element);if(light!=null)return light<384}let probe=el.appendChild(h("i",{style:"\
background:Canvas"})),dark=lightness(probe)<384;return probe.remove(),dark}function follow(root,el,resized){let scheme=matchMedia(
"(prefers-color-scheme: dark)"),theme=()=>root.classList.toggle("cfx-dark",onDark(el)),width;return scheme.addEventListener(
"change",theme),new ResizeObserver(()=>{width!==root.clientWidth&&(width=root.clientWidth,theme(),resized?.())}).observe(
root),()=>scheme.removeEventListener("change",theme)}var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before2,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before2,under]=[step*p+before2,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.
round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(alpha);return q===1e9?String(p/q):`${p}/${q}`}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`,noBandWords="too few documents for a band";function foundBandWords(low,high,tied){if(low===null)return noBandWords;
let least=percent(Math.floor(low*1e3+1e-6)/1e3);return tied?`at least ${least}`:`${least} to ${percent(Math.ceil(high*1e3-
1e-6)/1e3)}`}var axisTitle=({label})=>`${label} (lower = better)`;function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decimal"}:{type:"\
number",min:0,max:1,step},read=level?levelOf:text2=>text2?+text2:NaN,slider=h("input",{type:"range",id,...range}),number=h(
"input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),` ${words}`),
sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute(
"aria-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2);
let[now,text2]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.value=text2),invalid(
!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.value))),number.addEventListener("input",()=>{
let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider,number,parts:[label,number,slider,sides],
stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),alphaDial=(id,more,fits,words="the share \
of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,"more misses"],range:small(about),fits,level:!0}),
note=words=>paragraph("note",words),summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span(
"key",h("i",{class:"cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids),row=(name,...cells)=>h("tr",{},h("\
th",{scope:"row"},name),...cells.map(cell=>h("td",{},cell)));function ticks(lo,hi,most){let step=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??
hi,out=[];for(let i=Math.ceil(lo/step-1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}function roundStep(span2,most){
let ten=10**Math.floor(Math.log10(span2/most));return[1,2,5,10].map(x=>x*ten).find(step=>span2/step<=most+1e-9)}var scale=(lo,hi,from,to)=>x=>from+
(to-from)*(x-lo)/(hi-lo),box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(1)}v${-up.toFixed(1)}h${width.toFixed(1)}v${up.
toFixed(1)}z`,path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more}),reach=(x,y,width,height)=>svg("rect",{class:"\
cfx-reach",x,y,width:Math.max(0,width),height:Math.max(0,height)}),middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg(
"text",{x,y,...more},words),before=(x,y,words)=>text(x,y,words,{"text-anchor":"end"}),named=(x,y,words,left)=>text(x+(left?
-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"end":"start"}),gridLine=(left,right,y,words)=>[path("grid",`M${left}\
 ${y}H${right}`),before(left-5,y+4,words)],countLines=(top,{left,right,Y})=>ticks(0,top,3).filter(n=>n&&n%1===0).flatMap(
n=>gridLine(left,right,Y(n),n));function hatching(id){return svg("defs",{},svg("pattern",{id,width:5,height:5,patternUnits:"\
userSpaceOnUse",patternTransform:"rotate(45)"},svg("rect",{class:"cfx-hatch",width:2.6,height:5})))}var hatched=id=>({fill:`\
url(#${id})`}),bars=({within,beyond},id)=>[path("within",within),path("beyond",beyond,hatched(id))];function binned(scores,lo,hi,width){
let out=[],i=0;for(let bin=1;bin<=Math.round((hi-lo)/width);bin++){let from=i,edge=lo+bin*width-1e-9;for(;i<scores.length&&
scores[i]<edge;)i++;out.push([from,i])}return i<scores.length&&(out.at(-1)[1]=scores.length),out}function tallest(view,ranges){
let counts=[view.infinite,...ranges.map(([from,to])=>to-from)],[most,next=0]=counts.sort((a,b)=>b-a);return next>2&&most>
4*next?2*next:Math.max(1,most)}function withinRank({n,scores},k){if(k>scores.length)return n;let last=scores[k-1];for(;k<
scores.length&&scores[k]===last;)k++;return k}function scoresFrame({lo,hi,top,ranges},W,base){let right=W-46,head=26;return{
left:30,right,end:W-8,base,head,X:scale(lo,hi,30,right),Y:scale(0,top,base,head),width:(right-30)/ranges.length}}function columns(view,{
ranges,top},{k,qhat},{left,end,base,width,Y}){let within="",beyond="",ends=withinRank(view,k);if(ranges.forEach(([from,to],i)=>{
let shown=Math.min(1,top/(to-from)),inside=shown*Math.max(0,Math.min(to,ends)-from),rest=shown*(to-from)-inside,x=left+i*
width+.5;inside&&(within+=box(x,base,width-1,base-Y(inside))),rest>1e-9&&(beyond+=box(x,Y(inside),width-1,base-Y(rest)))}),
view.infinite){let bar=box(end-16,base,12,base-Y(view.infinite));qhat<1/0?beyond+=bar:within+=bar}return{within,beyond}}
function towers({ranges,top},{left,head,width},line){return ranges.flatMap(([from,to],i)=>{if(to-from<=top)return[];let x=left+
i*width,beside=x+width+5,at2=line>beside-5&&line<beside+40?line+5:beside;return[path("cut",`M${(x-2).toFixed(1)} ${head+
13}l${(width+4).toFixed(1)} -6`),text(at2.toFixed(1),head+12,`${count(to-from)} ↑`)]})}function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}function at(model,alpha){let k=rank(model.n,alpha),i=k-1;if(k>model.scores.length){let sure=model.score.pool?null:1;return{
k,qhat:1/0,coverage:model.coverable,chunks:model.total,low:sure,high:sure}}let coverage=model.covered[i],chunks=model.chunks[i];
return{k,qhat:model.scores[i],coverage,chunks,low:model.low[i],high:model.high[i],tied:model.tied[i]}}function alphaOf(n,k){
let least=(n+1-k)/(n+1);for(let places=2;places<10;places++)for(let step of[5/10**places,1/10**places]){let alpha=+(Math.
max(1,Math.ceil(least/step-1e-9))*step).toPrecision(9);if(alpha<1&&rank(n,alpha)===k)return alpha}}function binScores(model){
let{scores}=model,first=scores[0]??0,last=scores.at(-1)??1,span2=last-first||Math.abs(last)/10||1,width=roundStep(span2,
scores.length<80?14:30),lo=Math.floor(first/width+1e-9)*width,hi=Math.max(Math.ceil(last/width-1e-9)*width,lo+width),ranges=binned(
scores,lo,hi,width);return{lo,hi,ranges,top:tallest(model,ranges)}}var frameOf=(bins,W)=>scoresFrame(bins,W,148);function nearest({
scores},bins,W,x){let{left,right,end}=frameOf(bins,W);if(!scores.length||x>(right+end)/2)return scores.length+1;let pointed=bins.
lo+(bins.hi-bins.lo)*(x-left)/(right-left),closer=(best,score,i)=>Math.abs(score-pointed)<Math.abs(scores[best]-pointed)?
i:best;return scores.reduce(closer,0)+1}var minus=number=>number.replace("-","−"),qhatWords=({digits},qhat)=>qhat<1/0?
minus(qhat.toFixed(digits)):"infinite";function scoreScale({lo,hi},W,X,y){let step=roundStep(hi-lo,W<420?5:8),places=Math.
max(0,-Math.floor(Math.log10(step)+1e-9)),first=Math.ceil(lo/step-1e-6),length=Math.floor((hi-lo)/step+1e-6)+2,numbers=Array.
from({length},(_,i)=>(first+i)*step).filter(score=>score<=hi+step*1e-6),words=score=>minus((score+0).toFixed(places).replace(
/^-(0\.?0*)$/,"$1"));return numbers.map(score=>text(X(score),y,words(score),middle))}var grip=(x,base,head)=>[path("line",
`M${x.toFixed(1)} ${head-12}V${base+4}`),svg("circle",{class:"cfx-grip",cx:x.toFixed(1),cy:base+12,r:8}),path("chevrons",
`M${(x-2).toFixed(1)} ${base+9}l-3 3l3 3m4 -6l3 3l-3 3`)];function chart(model,bins,shown,W,id){let frame=frameOf(bins,W),
{left,right,end,base,head,X}=frame,x=shown.qhat<1/0?X(shown.qhat):end;return[hatching(id),reach(left,head-6,x-left,base+
6-head),...countLines(bins.top,frame),...bars(columns(model,bins,shown,frame),id),...towers(bins,frame,x),path("axis",`M${left}\
 ${base}H${end}`),...scoreScale(bins,W,X,base+36),text(end-10,base+36,"inf",middle),text((left+right)/2,209,axisTitle(model.
score),middle),text(0,12,"questions"),...grip(x,base,head),named(Math.max(x,58),head-10,`qhat ${qhatWords(model,shown.qhat)}`,
x>W*.6)]}function dragged(chart2,go){let held=!1,to=e=>{held&&go(e.clientX-chart2.getBoundingClientRect().left)};chart2.
addEventListener("pointerdown",e=>{e.button||(e.preventDefault(),chart2.setPointerCapture(e.pointerId),held=!0)}),chart2.
addEventListener("pointermove",to),chart2.addEventListener("pointerup",to),chart2.addEventListener("lostpointercapture",
()=>{held=!1})}function facts(model,{k,qhat,coverage,chunks,low,high,tied}){let coverable=`every question with an answer${model.
score.pool?" in the pool":""}`,band=qhat<1/0?foundBandWords(low,high,tied):coverable,which=`k = ${k} of n = ${model.n}`.
replaceAll(" "," ");return[row("mean chunks",`${chunks.toFixed(1)} of ${count(model.total)}`),row("held-out coverage",`${percent(
coverage)} of ${many(model.tested,"question")}`),row("its 90% band",band),row("qhat",`${qhatWords(model,qhat)} (${which}\
)`)]}function chartLabel(model,{k,qhat}){return`Histogram of ${many(model.n,"calibration score")} of ${model.name}. qhat\
 ${qhatWords(model,qhat)}; scores beyond it: ${Math.max(0,model.n-withinRank(model,k))}.`}function alphaOfModel(name,id,about){
let control=alphaDial(id,"more chunks",x=>x>0&&x<1,`of ${name}`,about);return control.number.setAttribute("aria-label",`\
alpha of ${name}, as a number`),control}function panelBox(model,scores,control,rows){let colours=keys(key("within","with\
in qhat"),key("beyond","beyond qhat"),h("span",{},"drag the line, or use the slider"));return h("section",{class:"cfx-le\
ft cfx-model",role:"group","aria-label":model.name},h("div",{},heading(model.name),scores,colours),div("alpha",...control.
parts,h("table",{},rows)))}function panel(model,id,about,go){let bins=binScores(model),scores=svg("svg",{class:"cfx-scor\
es cfx-drag",height:214,role:"img"}),rows=h("tbody"),control=alphaOfModel(model.name,id,about),box2=panelBox(model,scores,
control,rows),shown,W=0;function show(alpha){shown=at(model,alpha),control.stand(alpha,short(alpha),`alpha ${short(alpha)}\
, ${shown.chunks.toFixed(1)} chunks`),rows.replaceChildren(...facts(model,shown)),scores.setAttribute("aria-label",chartLabel(
model,shown)),W&&scores.replaceChildren(...chart(model,bins,shown,W,id));let qhat=shown.qhat<1/0?shown.qhat.toFixed(model.
digits):"inf";return Object.assign(box2.dataset,{alpha:short(alpha),qhat}),shown}let resize=()=>{W=scores.clientWidth};return control.
turned(go),dragged(scores,x=>{let k=nearest(model,bins,W,x);Math.min(shown.k,model.scores.length+1)!==k&&go(alphaOf(model.
n,k))}),{box:box2,show,resize}}function compared(models,alphas,linked,[a,b]){let[A,B]=models;if(!linked){let words=(model,{
qhat,chunks:chunks2,coverage})=>`${model.name} at qhat ${qhatWords(model,qhat)}: ${chunks2.toFixed(1)} chunks, ${percent(
coverage)} covered`;return`${words(A,a)}; ${words(B,b)}.`}let asked=1-alphas[0],covered=[a,b].every(shown=>Math.abs(shown.
coverage-asked)<=.05)?`both cover about ${percent(asked)}.`:`they cover ${percent(a.coverage)} and ${percent(b.coverage)}\
.`,chunks=`${a.chunks.toFixed(1)} chunks with ${A.name}, ${b.chunks.toFixed(1)} with ${B.name}`;return`At alpha = ${short(
alphas[0])}: ${chunks}; ${covered}`}function render({model,el}){let{models}=model.get("view"),id=newId(),summary=summaryOf(
id),same=h("input",{type:"checkbox"}),warning=note("The guarantee holds for a model and an alpha chosen beforehand, on o\
ther questions."),panels=models.map((one,i)=>panel(one,id+i,id+"s",alpha=>{warning.classList.add("cfx-on"),set(i,alpha)})),
root=h("div",{class:"cfx"},div("compared",summary,h("label",{},same," same alpha for both")),div("body cfx-pair",...panels.
map(p=>p.box)),warning);function paint(){let alphas=model.get("alphas"),linked=model.get("linked"),shown=panels.map((panel2,i)=>panel2.
show(alphas[i]));same.checked=linked,summary.textContent=compared(models,alphas,linked,shown)}function set(i,alpha){let linked=same.
checked;model.set("linked",linked),model.set("alphas",model.get("alphas").map((old,j)=>j===i||linked?alpha:old)),model.save_changes(),
paint()}return same.addEventListener("change",()=>set(0,model.get("alphas")[0])),el.replaceChildren(root),paint(),onChange(
model,{alphas:paint,linked:paint}),follow(root,el,()=>{panels.forEach(panel2=>panel2.resize()),paint()})}var models_default=widget(
"models",{render,at,alphaOf});export{alphaOf,at,models_default as default,render};
