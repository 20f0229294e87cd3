var billionths=alpha=>Math.min(Math.max(Math.round(alpha*1e9),1),999999999);function exactParts(alpha){let whole=billionths(
alpha);if(whole/1e9===alpha)return[whole,1e9];let[p,q,before2,under]=[1,0,0,1];for(let x=alpha;;x=1/(x-Math.floor(x))){let step=Math.
floor(x);if([p,q,before2,under]=[step*p+before2,step*q+under,p,q],!(q<=1e4))return[whole,1e9];if(p/q===alpha)return[p,q]}}
function rank(n,alpha){let[p,q]=exactParts(alpha),spent=(n+1)*p;return n+1-(spent-spent%q)/q}function ranked(alpha,r){let[
p,q]=exactParts(alpha);return Math.ceil(r*q/p)-1}var fewest=alpha=>ranked(alpha,1);function levelOf(words){let parts=/^\s*(\d+)\s*\/\s*(\d+)\s*$/.
exec(words);return parts?parts[1]/parts[2]:words.trim()?Math.round(+words*1e9)/1e9:NaN}function levelText(alpha){let[p,q]=exactParts(
alpha);return q===1e9?String(p/q):`${p}/${q}`}var tenth=x=>`${(100*x).toFixed(1)}%`;function mix(x){return x=Math.imul(x^x>>>16,2146121005),x=Math.imul(x^x>>>15,2221713035),
(x^x>>>16)>>>0}var starting=(seed,draw)=>mix(mix(seed+2654435769|0)+draw|0),chance=(start,i)=>mix(start^Math.imul(i+1,2654435761));
function lgamma(x){let shift=0;for(;x<15;)shift-=Math.log(x++);let y=1/(x*x),series=(1/12-y*(1/360-y*(1/1260-y/1680)))/x;
return shift+(x-.5)*Math.log(x)-x+Math.log(2*Math.PI)/2+series}function betaFraction(x,a,b){let some=v=>Math.abs(v)<1e-300?
1e-300:v,c=1,d=1/some(1-(a+b)*x/(a+1)),fraction=d,step=term=>{d=1/some(1+term*d),c=some(1+term/c),fraction*=c*d};for(let m=1;m<
1e4&&(step(m*(b-m)*x/((a+2*m-1)*(a+2*m))),step(-(a+m)*(a+b+m)*x/((a+2*m)*(a+2*m+1))),!(Math.abs(c*d-1)<1e-15));m++);return fraction}
function betaCdf(x,a,b){if(x<=0)return 0;if(x>=1)return 1;if(x>(a+1)/(a+b+2))return 1-betaCdf(1-x,b,a);let scale2=lgamma(
a+b)-lgamma(a)-lgamma(b)+a*Math.log(x)+b*Math.log1p(-x);return betaFraction(x,a,b)*Math.exp(scale2)/a}function betaQuantile(p,a,b){
let lo=0,hi=1;for(let i=0;i<52;i++){let x=(lo+hi)/2;betaCdf(x,a,b)<p?lo=x:hi=x}return(lo+hi)/2}function betaBinomial(m,n,k){
let b=n+1-k,upTo=new Float64Array(m+1),fixed=lgamma(m+1)+lgamma(n+1)-lgamma(m+n+1)-lgamma(k)-lgamma(b),sum=0;for(let j=0;j<=
m;j++)sum+=Math.exp(fixed+lgamma(j+k)-lgamma(j+1)+lgamma(m-j+b)-lgamma(m-j+1)),upTo[j]=sum;return upTo}function coverageLaw(n,alpha,m){
let k=rank(n,alpha),b=n+1-k;if(k>n)return{k,mean:1,cdf:x=>x>=1?1:0,quantile:()=>1};let mean=k/(n+1);if(!m)return{k,mean,
cdf:x=>betaCdf(x,k,b),quantile:p=>betaQuantile(p,k,b)};let upTo=betaBinomial(m,n,k);return{k,mean,cdf:x=>x<0?0:upTo[Math.
min(m,Math.floor(x*m+1e-9))],quantile:p=>{let j=upTo.findIndex(sum=>sum>=p-1e-12);return(j<0?m:j)/m}}}var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
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
x).toFixed(4)}%`,noBandWords="too few documents for a band";function foundBandWords(low,high,tied){if(low===null)return noBandWords;
let least=percent(Math.floor(low*1e3+1e-6)/1e3);return tied?`at least ${least}`:`${least} to ${percent(Math.ceil(high*1e3-
1e-6)/1e3)}`}function dial(id,{name,words,ends,range,step,fits,of=x=>x,level=!1}){let kind=level?{type:"text",inputmode:"decimal"}:{type:"\
number",min:0,max:1,step},read=level?levelOf:text2=>text2?+text2:NaN,slider=h("input",{type:"range",id,...range}),number=h(
"input",{...kind,class:"cfx-number","aria-label":`${name}, as a number`}),label=h("label",{for:id},h("b",{},name),` ${words}`),
sides=h("div",{class:"cfx-ends"},h("span",{},`← ${ends[0]}`),h("span",{},`${ends[1]} →`)),invalid=is=>number.setAttribute(
"aria-invalid",is);function stand(position,value,words2){slider.value=position,slider.setAttribute("aria-valuetext",words2);
let[now,text2]=level?[position,levelText(position)]:[+value,value];read(number.value)!==now&&(number.value=text2),invalid(
!1)}function turned(go){slider.addEventListener("input",()=>go(of(+slider.value))),number.addEventListener("input",()=>{
let value=read(number.value);fits(value)?go(value):invalid(!0)})}return{slider,number,parts:[label,number,slider,sides],
stand,turned}}var small=id=>({min:.01,max:.5,step:.005,"aria-describedby":id}),alphaDial=(id,more,fits,words="the share \
of misses you allow",about=id+"s")=>dial(id+"a",{name:"alpha",words,ends:[more,"more misses"],range:small(about),fits,level:!0});var summaryOf=id=>h("p",{class:"cfx-summary",id:id+"s","aria-live":"polite"}),key=(kind,words)=>span("key",h("i",{class:"\
cfx-key-"+kind}),words),keys=(...kids)=>paragraph("keys",...kids);function ticks(lo,hi,most){let step=[.01,.02,.05,.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3,1e4].find(t=>(hi-lo)/t<=most)??
hi,out=[];for(let i=Math.ceil(lo/step-1e-9);i*step<=hi+1e-9;i++)out.push(+(i*step).toPrecision(9));return out}var scale=(lo,hi,from,to)=>x=>from+(to-from)*(x-lo)/(hi-lo),box=(x,y,width,up)=>`M${x.toFixed(1)} ${y.toFixed(1)}v${-up.
toFixed(1)}h${width.toFixed(1)}v${up.toFixed(1)}z`,path=(kind,d,more)=>svg("path",{class:"cfx-"+kind,d,...more});var middle={"text-anchor":"middle"},text=(x,y,words,more)=>svg("text",{x,y,...more},words),before=(x,y,words)=>text(x,y,
words,{"text-anchor":"end"}),named=(x,y,words,left)=>text(x+(left?-7:7),y,words,{class:"cfx-qhat","text-anchor":left?"en\
d":"start"}),gridLine=(left,right,y,words)=>[path("grid",`M${left} ${y}H${right}`),before(left-5,y+4,words)],countLines=(top,{
left,right,Y})=>ticks(0,top,3).filter(n=>n&&n%1===0).flatMap(n=>gridLine(left,right,Y(n),n));function hatching(id){return svg(
"defs",{},svg("pattern",{id,width:5,height:5,patternUnits:"userSpaceOnUse",patternTransform:"rotate(45)"},svg("rect",{class:"\
cfx-hatch",width:2.6,height:5})))}var hatched=id=>({fill:`url(#${id})`}),bars=({within,beyond},id)=>[path("within",within),
path("beyond",beyond,hatched(id))];function standIn(state){let heard={};return{get:name=>state[name],on:(event,draw)=>(heard[event]??=[]).push(draw),set(name,value){
state[name]=value,heard["change:"+name]?.forEach(draw=>draw())},save_changes(){},send(){}}}function widget(name,parts){let waiting=globalThis.
document?.querySelectorAll(`[data-cfx="${name}"]:not([data-done])`)??[];for(let host of waiting)host.dataset.done=1,queueMicrotask(
()=>{let state=JSON.parse(host.querySelector('script[type="application/json"]').textContent);parts.render({model:standIn(
state),el:host.querySelector("div")})});return parts}var MOST=2e3,LARGEST=1e3,TIMES={1:1,2:10,3:100},everybody=model=>Float64Array.from(model.get("scores"),score=>score??1/0);
function preceded(values,at){let a=values.slice(),lo=0,hi=a.length-1;for(;lo<hi;){let pivot=a[lo+hi>>1],i=lo,j=hi;for(;i<=
j;){for(;a[i]<pivot;)i++;for(;a[j]>pivot;)j--;if(i>j)break;let held=a[i];a[i++]=a[j],a[j--]=held}if(at<=j)hi=j;else if(at>=
i)lo=i;else break}return a[at]}function uniformTicket(n,k,start){let scores=new Float64Array(n).map((_,i)=>(chance(start,
i)+.5)/4294967296),qhat=k>n?1/0:preceded(scores,k-1);return{scores,qhat,coverage:Math.min(qhat,1)}}function ticket(world,n,alpha,start){
let k=rank(n,alpha),N=world.length;if(!N)return uniformTicket(n,k,start);let order=new Float64Array(N).map((_,i)=>chance(
start,i)*2**20+i),cut=preceded(order,n-1),scores=world.filter((_,i)=>order[i]<=cut),qhat=k>n?1/0:scores[k-1],covered=0;for(let i=0;i<
N;i++)order[i]>cut&&world[i]<=qhat&&covered++;return{scores,qhat,coverage:covered/(N-n)}}function tying(world,law,m){if(!m||
law.mean===1)return!1;let[first,last]=[5e-4,.9995].map(p=>Math.round(law.quantile(p)*m)+law.k),near=world.slice(Math.max(
0,first-2),last+1);return near.some((score,i)=>i&&score===near[i-1])}function lotteryBins(law,m,asked,tied){let least=Math.
min(law.quantile(.001),asked),most=tied?1:law.quantile(.999),round=[.002,.005,.01,.02,.05].find(width2=>(most-least)/width2<=
34)??.1,width=Math.max(round,m?1/m:0),lo=Math.max(0,Math.min(Math.floor(least/width-1),1/width-8)*width),length=Math.max(
8,Math.ceil((Math.min(1,most+width)-lo)/width)),below=i=>law.cdf(lo+i*width-1e-9),upTo=i=>i===length?1:below(i),share=(_,i)=>upTo(
i+1)-(i?below(i):0);return{lo,hi:lo+length*width,width,length,expected:Array.from({length},share)}}function counted({lo,
width,length},s){let inside=Array(length).fill(0),outside=Array(length).fill(0);for(let coverage of s.coverage){let bin=Math.
floor((coverage-lo)/width+1e-9),counts=s.held(coverage)?inside:outside;counts[Math.min(length-1,Math.max(0,bin))]++}return{
inside,outside}}function lotteryColumns(bins,{inside,outside},{left,base,Y,width}){let within="",beyond="";return inside.
forEach((n,i)=>{let x=left+i*width+.5;n&&(within+=box(x,base,width-1,base-Y(n))),outside[i]&&(beyond+=box(x,Y(n),width-1,
base-Y(outside[i])))}),{within,beyond}}function lawLine({expected},draws,{left,base,Y,width}){let step=(share,i)=>`V${Y(
share*draws).toFixed(1)}H${(left+(i+1)*width).toFixed(1)}`;return`M${left} ${base}${expected.map(step).join("")}V${base}`}
function lotteryFrame(bins,s,counts,W){let right=W-18,base=200,head=30,draws=s.coverage.length,heights=counts.inside.map(
(n,i)=>n+counts.outside[i]),expected=s.tied?[]:bins.expected,top=Math.max(3,...heights,...expected.map(share=>share*draws)),
place=scale(bins.lo,bins.hi,34,right);return{left:34,right,base,head,top,X:share=>place(Math.min(Math.max(share,bins.lo),
bins.hi)),Y:scale(0,top,base,head),width:(right-34)/bins.length}}function coverageChart(bins,s,W,id){let counts=counted(
bins,s),frame=lotteryFrame(bins,s,counts,W),{left,right,base,head,top,X}=frame,draws=s.coverage.length,x=X(s.asked),low=X(
s.low);return[hatching(id),...countLines(top,frame),...bars(lotteryColumns(bins,counts,frame),id),draws&&!s.tied?path("l\
aw",lawLine(bins,draws,frame)):null,path("axis",`M${left} ${base}H${right}`),path("band",`M${low.toFixed(1)} ${base+8}H${Math.
max(X(s.high),low+3).toFixed(1)}`),draws?path("mark",`M${X(s.mean).toFixed(1)} ${base+13}l-6 10h12z`):null,...ticks(bins.
lo,bins.hi,W<420?4:7).map(share=>text(X(share),base+40,percent(share),middle)),text((left+right)/2,259,"coverage",middle),
text(0,12,"draws"),path("line",`M${x.toFixed(1)} ${head-16}V${base+14}`),named(x,head-12,`1 - alpha = ${percent(s.asked)}`,
x>W*.5)].filter(Boolean)}function lastLine({qhat,coverage},X,W,y){let covers=qhat<1/0?`qhat ${qhat.toFixed(4)} covers ${tenth(
coverage)}`:"qhat infinite: everything is retrieved",x=X(qhat);return[path("line",`M${x.toFixed(1)} 4V${y+4}`),named(x,13,
covers,x>W*.6)]}function setChart(world,last,W){let finite=world.filter(Number.isFinite),lo=finite[0]??0,hi=finite.at(-1)??
1,left=16,right=W-16,y=34,X=score=>left+(right-left)*(Math.min(score,hi)-lo)/(hi-lo||1),near="",far="";for(let score of last?.
scores??[]){let tick=`M${X(score).toFixed(1)} ${y-12}v12`;score<=last.qhat?near+=tick:far+=tick}return[path("axis",`M${left}\
 ${y}H${right}`),path("near",near),path("beyond",far),...ticks(lo,hi,W<420?5:6).map(score=>text(X(score),y+18,score.toFixed(
2),middle)),text((left+right)/2,69,"score",middle),...last?lastLine(last,X,W,y):[]]}function lotteryWords(s,n,alpha){if(s.
k>n){let least=count(fewest(alpha));return`A calibration set of ${n} is too small for alpha = ${short(alpha)}: at least ${least}\
 are needed. Every threshold is infinite and everything is retrieved, so coverage says nothing.`}let draws=s.coverage.length,
band=foundBandWords(s.low,s.high,s.tied),exact=`${s.tied?"at least ":""}${s.k}/${n+1} = ${tenth(s.exact)}`,ties=s.tied?"\
 Some scores tie, and a threshold covers all equal scores.":"",asked=`1 - alpha = ${percent(s.asked)} asked for`,long=`I\
n the long run, mean coverage is ${exact}, which is at least the ${asked}.${ties}`;return draws?`${`${many(draws,"draw")}\
, mean coverage ${tenth(s.mean)}`}; ${s.inside} in the 90% band, ${band}. ${long}`:`Nothing has been drawn yet. ${long} \
The 90% band is ${band}.`}var aboutDraws=N=>N?`Each draw takes n of ${count(N)} questions as the calibration set; covera\
ge is the share of the others with a score of at most qhat.`:"Each draw is a calibration set of n scores, uniform betwee\
n 0 and 1, so none of them tie; coverage is the share of all future scores that are at most qhat.",lastWords=last=>last?
`The scores of the last calibration set; its threshold covers ${tenth(last.coverage)}.`:"No calibration set has been dra\
wn yet.";function sizeDial(id,N){let most=N?N-1:LARGEST,size=dial(id+"n",{name:"n",words:"questions in a calibration set",
ends:["wider spread","narrower spread"],range:{min:1,max:N?most:300,step:1,"aria-describedby":id+"s"},step:1,fits:n=>Number.
isInteger(n)&&n>=1&&n<=most});return Object.assign(size.number,{min:1,max:most}),size}var keyButton=(key2,words)=>h("but\
ton",{type:"button","aria-keyshortcuts":key2},words,h("kbd",{"aria-hidden":"true"},key2));function drawButtons(){let buttons={
0:keyButton("0","Start over")};for(let key2 in TIMES)buttons[key2]=keyButton(key2,`Draw ${TIMES[key2]}`);return buttons}
function press(model,key2){let keep=keeper(model),draws=model.get("draws");key2==="0"?(keep("seed",model.get("seed")+1),
keep("draws",0)):draws<MOST&&keep("draws",Math.min(MOST,draws+TIMES[key2]))}function listen(root,buttons,go){for(let key2 in buttons)
buttons[key2].addEventListener("click",()=>go(key2));root.addEventListener("keydown",e=>{!buttons[e.key]||e.ctrlKey||e.altKey||
e.metaKey||e.target.type==="number"||(e.preventDefault(),go(e.key))})}function drawer(world){let coverage=[],made,law,bins,
tied;return({n,alpha,draws,seed})=>{let draw=j=>ticket(world,n,alpha,starting(seed,j)),now=`${n} ${alpha} ${seed}`;if(now!==
made||coverage.length>draws){let others=world.length&&world.length-n;made=now,coverage=[],law=coverageLaw(n,alpha,others),
tied=tying(world,law,others),bins=lotteryBins(law,others,1-alpha,tied)}for(;coverage.length<draws;)coverage.push(draw(coverage.
length).coverage);let low=law.quantile(.05),high=tied?1:law.quantile(.95),held=share=>share>=low-1e-12&&share<=high+1e-12,
mean=coverage.reduce((sum,share)=>sum+share,0)/draws,inside=coverage.filter(held).length;return{s:{coverage,asked:1-alpha,
k:law.k,exact:law.mean,low,high,mean,held,inside,tied},bins,last:draws?draw(draws-1):null}}}function pictures(id,world){
let title=heading(),summary=summaryOf(id),chart=svg("svg",{height:264,role:"img"}),lastSet=svg("svg",{height:72,role:"im\
g"}),lawKey=key("law","expected by the exact law"),colours=keys(key("within","in the 90% band"),key("beyond","outside"),
lawKey,key("mark","mean of the draws"));function paint({n,alpha,draws},{s,bins,last},W){title.textContent=`Coverage of ${many(
draws,"threshold")}`,summary.textContent=lotteryWords(s,n,alpha),lawKey.hidden=s.tied,chart.setAttribute("aria-label",`H\
istogram. ${summary.textContent}`),lastSet.setAttribute("aria-label",lastWords(last)),W&&(chart.replaceChildren(...coverageChart(
bins,s,chart.clientWidth,id)),lastSet.replaceChildren(...setChart(world,last,lastSet.clientWidth)))}let about=hint(aboutDraws(
world.length));return{small:section(heading("The last calibration set"),about,lastSet),large:section(title,chart,colours,
summary),paint}}function facts({n,alpha,draws,seed},{mean,inside,low,high}){let six=x=>x.toFixed(6);return{n,alpha:short(
alpha),draws,seed,mean:draws?six(mean):"",inside,low:six(low),high:six(high)}}function render({model,el}){let id=newId(),
world=everybody(model),keep=keeper(model),size=sizeDial(id,world.length),alpha=alphaDial(id,"fewer misses",x=>x>0&&x<1),
buttons=drawButtons(),{small:small2,large,paint:paintPictures}=pictures(id,world),controls=h("section",{class:"cfx-alpha"},
...size.parts,...alpha.parts),row=div("buttons",buttons[1],buttons[2],buttons[3],buttons[0]),root=h("div",{class:"cfx","\
aria-label":"Coverage lottery",role:"group"},div("body",div("left",controls,row,small2),large)),drawn=drawer(world),W=0;
function paint(){let[n,share,draws,seed]=["n","alpha","draws","seed"].map(name=>model.get(name)),now={n,alpha:share,draws,
seed},results=drawn(now);size.stand(now.n,now.n,many(now.n,"question")),alpha.stand(now.alpha,short(now.alpha),`alpha ${short(
now.alpha)}`);for(let key2 in TIMES)buttons[key2].setAttribute("aria-disabled",now.draws>=MOST);Object.assign(root.dataset,
facts(now,results.s)),paintPictures(now,results,W)}return size.turned(n=>keep("n",n)),alpha.turned(alpha2=>keep("alpha",
alpha2)),listen(root,buttons,key2=>press(model,key2)),el.replaceChildren(root),onChange(model,{n:paint,alpha:paint,draws:paint,
seed:paint}),paint(),follow(root,el,()=>{W=root.clientWidth,paint()})}var lottery_default=widget("lottery",{render,ticket,
starting,coverageLaw,tying});export{lottery_default as default,render,ticket,tying};
