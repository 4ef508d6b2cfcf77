/** Choosing which endpoint takes a call: small, pure strategies over weights and live load. */
package io.dubbomesh.loadbalance;
