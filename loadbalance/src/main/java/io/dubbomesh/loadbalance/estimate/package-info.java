/** Estimates of what was seen lately, made anew with each number. */
package io.dubbomesh.loadbalance.estimate;
