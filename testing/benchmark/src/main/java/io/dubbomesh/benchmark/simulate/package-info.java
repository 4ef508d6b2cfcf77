/**
 * Simulates consumer agents and providers in virtual time, with the product's own balancers, health and queues: which
 * strategy holds the tail, in seconds instead of hours and with the same random numbers for all.
 */
package io.dubbomesh.benchmark.simulate;
