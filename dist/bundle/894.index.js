export const id=894;export const ids=[894];export const modules={894:(t,e,s)=>{s.d(e,{Q:()=>o});class o{getAgent(){}getAgentDispatcher(){}}}};
