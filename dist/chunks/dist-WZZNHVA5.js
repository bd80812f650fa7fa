import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a,b,c,d,e,f,g,h,i,j,k,l,m}from"./chunk-V53Y5LZJ.js";import"./chunk-AYNVGI6I.js";export{a as ErrorCodes,h as InsertionMode,i as Parser,b as Token,e as Tokenizer,d as TokenizerMode,f as defaultTreeAdapter,g as foreignContent,c as html,l as parse,m as parseFragment,j as serialize,k as serializeOuter};
