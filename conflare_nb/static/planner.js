var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function rank(n,alpha){let spent=(n+1)*billionths(
alpha);return n+1-(spent-spent%1e9)/1e9}var fewest=alpha=>Math.ceil(1e9/billionths(alpha))-1;var tenth=x=>`${(100*x).toFixed(1)}%`;function lgamma(x){let shift=0;for(;x<15;)shift-=Math.log(x++);let y=1/(x*x),series=(1/12-y*(1/360-y*(1/1260-y/1680)))/x;
return shift+(x-.5)*Math.log(x)-x+Math.log(2*Math.PI)/2+series}function betaFraction(x,a,b){let some=v=>Math.abs(v)<1e-300?
1e-300:v,c=1,d=1/some(1-(a+b)*x/(a+1)),fraction=d,step=term=>{d=1/some(1+term*d),c=some(1+term/c),fraction*=c*d};for(let m=1;m<
1e4&&(step(m*(b-m)*x/((a+2*m-1)*(a+2*m))),step(-(a+m)*(a+b+m)*x/((a+2*m)*(a+2*m+1))),!(Math.abs(c*d-1)<1e-15));m++);return fraction}
function betaCdf(x,a,b){if(x<=0)return 0;if(x>=1)return 1;if(x>(a+1)/(a+b+2))return 1-betaCdf(1-x,b,a);let scale2=lgamma(
a+b)-lgamma(a)-lgamma(b)+a*Math.log(x)+b*Math.log1p(-x);return betaFraction(x,a,b)*Math.exp(scale2)/a}function betaQuantile(p,a,b){
let lo=0,hi=1;for(let i=0;i<52;i++){let x=(lo+hi)/2;betaCdf(x,a,b)<p?lo=x:hi=x}return(lo+hi)/2}var ranked=(alpha,r)=>Math.ceil(r*1e9/billionths(alpha))-1;function firstThat(from,to,does){let lo=from,hi=to;for(;lo<hi;){
let n=lo+hi>>1;does(n)?hi=n:lo=n+1}return lo}function sizesNeeded(alpha,eps,tail,both){let asked=1-alpha,low=(n,r)=>betaCdf(
asked-eps,n+1-r,r)<=tail,high=(n,r)=>!both||betaCdf(alpha-eps,r,n+1-r)<=tail,first,last=ranked(alpha,1)-1;for(let r=1;ranked(
alpha,r)<1.2*last+1e3||!first;r++){let from=ranked(alpha,r),to=ranked(alpha,r+1)-1;if(to<from)continue;let start=firstThat(
from,to+1,n=>low(n,r));start<=to&&high(start,r)&&(first??=start),high(to,r)?start>from&&(last=start-1):last=to}return{first,
n:last+1}}var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
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
root),()=>scheme.removeEventListener("change",theme)}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag)),short=x=>String(+x.toPrecision(9)),percent=x=>`${+(100*
x).toFixed(4)}%`;function dial(id,{name,words,ends,range,step,fits,of=x=>x}){let slider=h("input",{type:"range",id,...range}),number=h("i\
nput",{type:"number","aria-label":`${name}, as a number`,min:0,max:1,step}),label=h("label",{for:id},h("b",{},name),` ${words}`),
sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute(
"aria-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2),
+number.value!=+value&&(number.value=value),invalid(!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.
value))),number.addEventListener("input",()=>{let value=+number.value;number.value&&fits(value)?go(value):invalid(!0)})}
return{slider,number,parts:[label,number,slider,sides],stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-desc\
ribedby":id}),alphaDial=(id,more,fits,words="accepted share of misses",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[
more,"more misses"],range:small(about),step:.005,fits});var summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span("key",h("i",{class:"\
cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids);function ticks(lo,hi,most){let step=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??
hi,out=[];for(let i=Math.ceil(lo/step-1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}var scale=(lo,hi,from,to)=>x=>from+(to-from)*(x-lo)/(hi-lo);var path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more});var middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg("text",{x,y,...more},words),before=(x,y,words)=>text(x,y,
words,{"text-anchor":"end"}),named=(x,y,words,left)=>text(x+(left?-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"en\
d":"start"});function hatching(id){return svg("defs",{},svg("pattern",{id,width:5,height:5,patternUnits:"userSpaceOnUse",patternTransform:"\
rotate(45)"},svg("rect",{class:"cfx-hatch",width:2.6,height:5})))}var hatched=id=>({fill:`url(#${id})`});function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}var SIDES={false:"not more than eps below 1 - alpha",true:"within eps of 1 - alpha, on both sides"},CONFIDENCE={.2:"80%",
.1:"90%",.05:"95%",.01:"99%"};function planned(alpha,eps,delta,two_sided){let tail=two_sided?delta/2:delta,needed=sizesNeeded(
alpha,eps,tail,two_sided),plan={alpha,eps,delta,two_sided,tail,finite:fewest(alpha),...needed};return{...plan,low:coverageAt(
plan,plan.n,tail),high:coverageAt(plan,plan.n,1-tail)}}function coverageAt({alpha},n,probability){let k=rank(n,alpha);return betaQuantile(
probability,k,n+1-k)}function sizes(plan,most){let out=[plan.n,most];for(let n=plan.finite;n<most;n=Math.max(n+1,Math.round(
n*1.05)))out.push(n);for(let r=2;r<=30;r++)out.push(ranked(plan.alpha,r)-1,ranked(plan.alpha,r));return out.filter(n=>n>=
plan.finite&&n<=most).sort((a,b)=>a-b)}function planFrame(plan,W){let right=W-24,base=226,head=26,most=10**Math.ceil(Math.
log10(Math.max(3*plan.n,300))),span2=Math.max(2.5*plan.eps,.06),lo=Math.max(0,1-plan.alpha-span2),hi=Math.min(1,1-plan.alpha+
span2),height=scale(lo,hi,base,head);return{left:44,right,base,head,most,lo,hi,X:n=>44+(right-44)*Math.log10(n)/Math.log10(
most),Y:share=>height(Math.min(Math.max(share,lo),hi))}}function band(plan,{most,X,Y}){let corner=(n,probability)=>`${X(
n).toFixed(1)} ${Y(coverageAt(plan,n,probability)).toFixed(1)}`,rising=sizes(plan,most),upper=rising.map(n=>corner(n,1-plan.
tail)),lower=rising.reverse().map(n=>corner(n,plan.tail));return`M${[...upper,...lower].join("L")}z`}function hopeless(plan,{
left,base,head,X},id){let end=X(Math.max(1,plan.finite-.5)),width=Math.max(0,end-left);return svg("rect",{class:"cfx-bey\
ond",x:left,y:head,width,height:base-head,...hatched(id),opacity:.45})}function powersOfTen({most,X,base}){let length=Math.
round(Math.log10(most))+1;return Array.from({length},(_,i)=>text(X(10**i),base+18,count(10**i),middle))}function coverageLines({
left,right,lo,hi,Y}){let line=share=>[path("grid",`M${left} ${Y(share).toFixed(1)}H${right}`),before(left-6,Y(share)+4,percent(
share))];return ticks(lo,hi,6).flatMap(line)}function planChart(plan,W,id){let frame=planFrame(plan,W),{left,right,base,
head,lo,hi,X,Y}=frame,asked=1-plan.alpha,x=X(plan.n),wish=share=>share>lo&&share<hi?path("wish",`M${left} ${Y(share).toFixed(
1)}H${right}`):null;return[hatching(id),hopeless(plan,frame,id),...coverageLines(frame),path("bands",band(plan,frame)),path(
"axis",`M${left} ${base}H${right}`),path("axis",`M${left} ${Y(asked)}H${right}`),wish(asked-plan.eps),plan.two_sided?wish(
asked+plan.eps):null,...powersOfTen(frame),text((left+right)/2,262,"n, questions that calibrate",middle),text(0,12,"cove\
rage"),path("line",`M${x.toFixed(1)} ${head-12}V${base+4}`),named(x,head-8,`n = ${count(plan.n)}`,x>W*.55)].filter(Boolean)}
function planWords({two_sided,low,high,delta}){return`With so many, coverage ${two_sided?`falls between ${tenth(low)} an\
d ${tenth(high)}`:`is at least ${tenth(low)}`} with ${percent(1-delta)} probability.`}function leastWords({first,n,finite}){
return`${first<n?`The smallest number that will do is ${count(first)}; between the two some do and some do not (the teet\
h of the band). `:""}Below ${many(finite,"question")} there is no finite threshold at this alpha: all is retrieved that \
the score ranks.`}function choice(id,words,options,chosen){let option=([value,words2])=>h("option",{value},words2),select=h(
"select",{id},...Object.entries(options).map(option));return select.addEventListener("change",()=>chosen(select.value)),
{select,part:div("choice",h("label",{for:id},words),select)}}function controls(id,keep){let alpha=alphaDial(id,"fewer mi\
sses",x=>x>=.001&&x<=.999),eps=dial(id+"e",{name:"eps",words:"shortfall of coverage you can live with",ends:["closer, mo\
re questions","looser, fewer"],range:{min:.01,max:.2,step:.005,"aria-describedby":id+"s"},step:.005,fits:x=>x>=.005&&x<=
.5}),sides=choice(id+"w","wanted",SIDES,value=>keep("two_sided",value==="true")),sure=choice(id+"d","confidence",CONFIDENCE,
value=>keep("delta",+value)),part=h("section",{class:"cfx-alpha"},...alpha.parts,...eps.parts,sides.part,sure.part);alpha.
turned(x=>keep("alpha",x)),eps.turned(x=>keep("eps",x));function stand(plan){let questions=many(plan.n,"question");alpha.
stand(plan.alpha,short(plan.alpha),`alpha ${short(plan.alpha)}, ${questions}`),eps.stand(plan.eps,short(plan.eps),`eps ${short(
plan.eps)}, ${questions}`),sides.select.value=plan.two_sided,sure.select.value=short(plan.delta)}return{part,stand}}function facts({
alpha,eps,delta,two_sided,n,first,finite,low,high}){return{...{alpha:short(alpha),eps:short(eps),delta:short(delta),sides:two_sided?
2:1},n,first,finite,low:low.toFixed(6),high:high.toFixed(6)}}function render({model,el}){let id=newId(),{part,stand}=controls(
id,keeper(model)),title=heading(),summary=summaryOf(id),least=hint(),chart=svg("svg",{height:270,role:"img"}),colours=keys(
key("bands","where coverage falls"),key("wish","wanted"),key("beyond","no finite threshold")),needed=h("section",{class:"\
cfx-needed"},title,summary,least),right=section(heading("Coverage against the number of questions"),chart,colours),root=h(
"div",{class:"cfx","aria-label":"Sample-size planner",role:"group"},div("body",div("left",part,needed),right)),W=0;function paint(){
let plan=planned(...["alpha","eps","delta","two_sided"].map(name=>model.get(name)));stand(plan),title.textContent=`${many(
plan.n,"question")} or more`,summary.textContent=planWords(plan),least.textContent=leastWords(plan),chart.setAttribute("\
aria-label",`Band of coverage against n. ${title.textContent}. ${summary.textContent}`),Object.assign(root.dataset,facts(
plan)),W&&chart.replaceChildren(...planChart(plan,chart.clientWidth,id))}return el.replaceChildren(root),onChange(model,
{alpha:paint,eps:paint,delta:paint,two_sided:paint}),paint(),follow(root,el,()=>{W=root.clientWidth,paint()})}var planner_default=widget(
"planner",{render,sizesNeeded});export{planner_default as default,render};
