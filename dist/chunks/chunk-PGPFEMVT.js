import{createRequire}from'node:module';const require=createRequire(import.meta.url);
var s=class{getAgent(){}getAgentDispatcher(){}};export{s as a};
