/** Scenarios of many consumer agents and providers in virtual time, and the tables and plots of what they show. */
package io.dubbomesh.benchmark.simulate;
