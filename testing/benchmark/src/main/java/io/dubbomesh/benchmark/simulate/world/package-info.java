/**
 * The world of a scenario, in virtual time: consumer agents with the product's own balancers and health, and the
 * providers that they call.
 */
package io.dubbomesh.benchmark.simulate.world;
