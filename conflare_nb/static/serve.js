var maker=create=>(tag,attrs={},...kids)=>{let e=create(tag);for(let[name,value]of Object.entries(attrs))value!==!1&&value!=
null&&e.setAttribute(name,value===!0?"":value);return e.append(...kids.filter(child=>child!=null)),e},h=maker(tag=>{let e=document.
createElement(tag);return/^(button|input|ol|select|summary|textarea)$/.test(tag)&&(e.dataset.lmSuppressShortcuts=!0),e}),
div=(kind,...kids)=>h("div",{class:"cfx-"+kind},...kids),paragraph=(kind,...kids)=>h("p",{class:"cfx-"+kind},...kids),span=(kind,...kids)=>h(
"span",{class:"cfx-"+kind},...kids);var hint=words=>paragraph("hint",words),heading=words=>h("div",{class:"cfx-heading",role:"heading","aria-level":3},words),
alertBox=()=>h("p",{class:"cfx-error",role:"alert",hidden:!0}),sayIn=(element,words)=>{element.hidden=!words,element.textContent=
words};var newId=()=>"cfx"+Math.random().toString(36).slice(2),count=n=>n.toLocaleString("en-US"),many=(n,word)=>`${count(n)} ${word}${n===
1?"":"s"}`;function onEnter(field,go){field.addEventListener("keydown",e=>{e.key!=="Enter"||e.shiftKey||e.isComposing||(e.preventDefault(),
go())})}var svg=maker(tag=>document.createElementNS("http://www.w3.org/2000/svg",tag));var percent=x=>`${+(100*x).toFixed(4)}%`;async function call(path,options){let reply=await fetch(path,options),data=await reply.json().catch(()=>({}));if(reply.ok)
return data;throw Object.assign(new Error(data.error??`The server says ${reply.status}.`),{status:reply.status})}function post(path,data,signal){
return call(path,{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify(data),signal})}var unreachable=error=>error instanceof
TypeError?"The server does not answer. Is it still running?":error.message,button=(words,go,attrs)=>{let made=h("button",
{type:"button",...attrs},words);return made.addEventListener("click",go),made};function dayWords(when,now){let day=time=>new Date(
time.getFullYear(),time.getMonth(),time.getDate()),ago=Math.round((day(now)-day(when))/864e5);return ago===0?"today":ago===
1?"yesterday":`on ${when.toLocaleDateString("en-GB",{day:"numeric",month:"long",year:"numeric"})}`}function stateWords({
alpha,levels=[],questions,within,status,rule,state,missing},now){let day=`calibrated ${dayWords(new Date(state.calibrated),
now)}`,level=levels.length?`alpha ${alpha}`:percent(1-alpha);return missing.length?`Nothing is promised: ${missing.join(
"; ")}. ${many(questions,"question")}, ${day}`:status!=="promised"?`${level}: ${rule}. ${many(questions,"question")}, ${day}`:
`${level}: ${within} of ${many(questions,"question")}, ${day}`}var changingWords=names=>names.length?`${many(names.length,
"file")} changed: recalibrating`:"";function corner(changed){let words=h("span",{}),now=h("span",{class:"serve-changing"}),
news=h("p",{}),problem=alertBox(),part=h("div",{class:"serve-state"},h("p",{role:"status"},words,now),news,problem),timer;
function show(state){words.textContent!==stateWords(state,new Date)&&(words.textContent=stateWords(state,new Date)),now.
textContent=changingWords(state.changing),now.hidden=!state.changing.length,sayIn(news,state.news.join(" ")),sayIn(problem,
state.problem&&`The newest files are not taken up: ${state.problem}`),changed(state)}async function look(){clearTimeout(
timer);let next=4e3;try{let state=await call("/api/state");state.changing.length&&(next=1500),show(state)}catch(error){sayIn(
problem,unreachable(error))}timer=setTimeout(look,next)}return{part,look}}function shown(kind,text,from=0,to=0){let blocks=[],
at=0,begin=0,fence="",add=end=>{let between=(start,stop)=>text.slice(Math.max(start,begin),Math.max(start,begin,Math.min(
stop,end))),inside=between(from,to),mark=inside&&h("mark",{tabindex:-1},inside),words=[between(0,from),mark,between(to,text.
length)].filter(Boolean);words.length&&blocks.push(fence?h("pre",{},h("code",{},...words)):paragraph(kind,...words))};for(let line of text.
split(`
`)){let sign=/^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];sign?.startsWith(fence)&&(add(at),fence=fence?"":sign,begin=at+line.
length+1),at+=line.length+1}return add(text.length),blocks}function textPart({sections}){return sections.map(({heading:name,
page,parts:[before,inside="",after=""]})=>{let where=[name,page==null?"":`page ${page}`].filter(Boolean).join(" › "),from=before.
length,blocks=shown("words",before+inside+after,from,from+inside.length);return h("section",{},where?heading(where):null,
...blocks)})}function pagePart({page,title,rectangles,version},file){let width=Math.min(2e3,Math.round(1e3*Math.min(devicePixelRatio,
2))),src=`/api/page?${new URLSearchParams({document:file,page,width,version})}`,picture=h("img",{src,alt:`Page ${page} o\
f ${title}`,width}),boxes=rectangles.map(([left,top,right,bottom])=>svg("rect",{x:left,y:top,width:right-left,height:bottom-
top})),over=svg("svg",{viewBox:"0 0 1 1",preserveAspectRatio:"none","aria-hidden":!0},...boxes);return[div("page",picture,
over)]}function viewer(){let id=newId(),title=h("h2",{id}),note=hint(),text=h("div",{class:"serve-document",tabindex:0,role:"\
region","aria-labelledby":id}),close=button("Close",()=>dialog.close()),head=h("div",{class:"serve-head"},title,close),dialog=h(
"dialog",{"aria-labelledby":id},head,note,text);function reach(){let mark=text.querySelector("mark, rect");mark?mark.scrollIntoView(
{block:"center"}):text.scrollTop=0}async function open(location2,source){title.textContent=source,sayIn(note,"Opening …"),
text.replaceChildren(),dialog.open||dialog.showModal();try{let found=await post("/api/passage",location2);sayIn(note,found.
note),text.replaceChildren(...found.sections?textPart(found):pagePart(found,location2.document)),await text.querySelector(
"img")?.decode(),reach()}catch(error){text.replaceChildren(),sayIn(note,error.name==="EncodingError"?"The page cannot be\
 drawn; open it again.":unreachable(error))}}return note.setAttribute("role","status"),{dialog,open}}function quotesPart(open){
let warning=h("p",{class:"serve-warning",hidden:!0}),first=h("div",{class:"serve-first"}),promise=h("details",{class:"se\
rve-promise"}),listed=h("details",{}),live=h("div",{"aria-live":"polite"},warning,first),part=h("section",{"aria-label":"\
Quotes",hidden:!0},live,promise,listed),source=({location:location2,source:name})=>{let title=`Open ${location2.document}\
 at this passage`;return button(name,()=>open(location2,name),{class:"serve-source",title})},item=quote=>h("li",{},...shown(
"quote",quote.text),source(quote),quote.p_value==null?null:span("num",`  p ${quote.p_value.toFixed(3)}`));function list({
listed:found,promise:said,unit}){let{promised,short,exact}=said;promise.className=promised?"serve-promise":"serve-promis\
e serve-missing",promise.replaceChildren(h("summary",{},short),paragraph("hint",exact));let rows=found.map(item);listed.
replaceChildren(h("summary",{},`${many(rows.length,unit.slice(0,-1))} listed`),h("ol",{},...rows))}function show(answer){
part.hidden=!1,sayIn(warning,answer.warning),first.replaceChildren(...answer.first?[h("blockquote",{},...shown("quote",answer.
first.text)),source(answer.first)]:[h("p",{},"Nothing is stored.")]),list(answer)}return{part,show,list}}function stopsPart(turned){
let name=newId(),part=h("fieldset",{class:"serve-stops",hidden:!0});function show({levels,alpha}){let stop=level=>{let field=h(
"input",{type:"radio",name,value:level,checked:level===alpha});return field.addEventListener("change",()=>turned(level)),
h("label",{},field,` ${level}`)};part.hidden=!levels.length;let hints=[span("hint","lists more"),span("hint","misses mor\
e")];part.replaceChildren(h("legend",{},"alpha"),hints[0],...levels.map(stop),hints[1])}return{part,show}}function offerRow({
question,text,answer,document:document2,sentence},done){let said=h("span",{role:"status"});async function confirm(){yes.
disabled=!0,said.textContent="Calibrating again …";try{await post("/api/confirm",{question,sentence}),said.textContent=
"Thank you.",done()}catch(error){yes.disabled=!1,said.textContent=unreachable(error)}}let yes=button("Yes",confirm,{"ari\
a-label":`Yes: ${sentence}`});return h("li",{},h("p",{},h("b",{},text),` The answer was given as “${answer}”. ${document2}\
 says:`),h("p",{class:"serve-offer"},sentence),yes," ",said)}function offersPart(done){let summary=h("summary",{}),rows=h(
"ul",{}),part=h("details",{class:"serve-offers",hidden:!0},summary,rows),shown2="";function show(offers){let now=JSON.stringify(
offers);now!==shown2&&(shown2=now,part.hidden=!offers.length,summary.textContent=`Is this what you meant? ${many(offers.
length,"calibration question")} to look at`,rows.replaceChildren(...offers.map(offer=>offerRow(offer,done))))}return{part,
show}}function fileRow(file,sent){let said=h("span",{role:"status"}),row=h("li",{},h("b",{},file.name)," ",said);async function send(replace){
said.textContent="is sent …";try{let sends=new URLSearchParams({name:file.name,replace}),{name}=await call(`/api/files\
?${sends}`,{method:"PUT",body:file});said.textContent=name===file.name?"is added.":`is added as ${name}.`,sent()}catch(error){
said.replaceChildren(unreachable(error)),error.status===409&&row.append(again)}}let again=button("Replace it",()=>{again.
remove(),send("yes")});return{row,send}}function filesPart(most,sent){let id=newId(),field=h("input",{type:"file",multiple:!0,
id}),rows=h("ul",{}),label=h("label",{for:id},"Add files: drop them anywhere on this page, or choose"),part=h("section",
{class:"serve-files","aria-label":"Add files"},label,field,rows);async function add(files){for(let file of files){let{row,
send}=fileRow(file,sent);rows.append(row),file.size>most()?row.lastChild.textContent=`holds more than ${many(most(),"byt\
e")}; it was not sent.`:await send("")}}return field.addEventListener("change",async()=>{await add([...field.files]),field.
value=""}),{part,add}}function dropping(add){let over=on=>document.body.classList.toggle("serve-dropping",on),files=event=>event.
dataTransfer?.types.includes("Files");addEventListener("dragover",event=>{files(event)&&(event.preventDefault(),over(!0))}),
addEventListener("dragleave",event=>{event.relatedTarget||over(!1)}),addEventListener("drop",event=>{files(event)&&(event.
preventDefault(),over(!1),add([...event.dataTransfer.files]),document.querySelector(".serve-files").scrollIntoView({block:"\
nearest"}))})}function askBox(id){let field=h("textarea",{rows:2,id,maxlength:2e3,placeholder:"Type a question and press\
 Enter"}),ask=h("button",{type:"submit"},"Ask"),examples=h("div",{class:"cfx-buttons",role:"group","aria-label":"Example\
s"}),label=h("label",{for:id},"Question"),form=h("form",{class:"serve-ask"},label,div("row",field,ask),examples);return onEnter(
field,()=>form.requestSubmit()),{form,field,ask,examples}}function serve(root2){let name=h("h1",{}),error=alertBox(),busy=hint(),
{form,field,ask,examples}=askBox(newId()),{dialog,open}=viewer(),quotes=quotesPart(open),old=h("p",{class:"serve-warning",
role:"status",hidden:!0}),answer,alpha,state,wanted;async function asked(question,whole){wanted?.abort(),wanted=new AbortController;
let{signal}=wanted;sayIn(error,""),sayIn(busy,whole?"Looking …":""),ask.setAttribute("aria-busy",whole);try{let found=await post(
"/api/ask",alpha==null?{question}:{question,alpha},signal),same=found.state.fingerprint===answer?.state.fingerprint;if(whole)
show(found);else if(same)quotes.list(found);else return asked(question,!0)}catch(failure){if(failure.name==="AbortError")
return;sayIn(error,unreachable(failure))}sayIn(busy,""),ask.setAttribute("aria-busy",!1)}let stops=stopsPart(now=>{alpha=
now,asked(answer.question,!1)});function show(found){answer=found,examples.remove(),quotes.show(found),stops.show(found),
outdated()}function outdated(){let is=answer&&answer.state.fingerprint!==state?.state.fingerprint;old.hidden=!is,!(!is||
old.firstChild)&&old.append("The documents have changed since this answer. ",button("Ask again",()=>asked(answer.question,
!0)))}function known(now){state=now,document.title=`${now.folder}: ask`,name.textContent=now.folder,offers.show(now.offers),
examples.childElementCount||examples.append(span("hint","such as"),...now.examples.map(exampleButton)),outdated()}let exampleButton=text=>button(
text,()=>{field.value=text,form.requestSubmit()}),{part:stands,look}=corner(known),offers=offersPart(look),{part:files,add}=filesPart(
()=>state?.most_bytes??1/0,look);form.addEventListener("submit",event=>{event.preventDefault(),field.value.trim()&&asked(
field.value.trim(),!0)}),dropping(add),busy.setAttribute("role","status"),sayIn(busy,"");let top=h("header",{class:"serv\
e-top"},name,stands),api=h("p",{class:"cfx-hint"},h("a",{href:"/api"},"Ask from a program (API)"));root2.replaceChildren(
top,form,busy,error,old,quotes.part,stops.part,offers.part,files,api,dialog),look(),field.focus()}var root=globalThis.document?.
getElementById("serve");if(root){let{token}=Object.fromEntries(new URLSearchParams(location.search));token&&history.replaceState(
null,"","/"),serve(root)}export{changingWords,dayWords,serve,stateWords};
