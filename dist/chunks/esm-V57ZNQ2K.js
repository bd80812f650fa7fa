import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import{a,b,c,d,e,f,g,h,i,j,k,l}from"./chunk-FBQIPCHL.js";import"./chunk-AYNVGI6I.js";export{b as AST,f as GLOBSTAR,l as Minimatch,i as braceExpand,h as defaults,c as escape,g as filter,j as makeRe,k as match,d as minimatch,e as sep,a as unescape};
