/** Choosing which endpoint takes a call: strategies over weights, for endpoints that have room. */
package io.dubbomesh.loadbalance;
