/** Choosing which endpoint takes a call: strategies over weights and load, for endpoints that have room. */
package io.dubbomesh.loadbalance;
