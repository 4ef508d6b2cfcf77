/** Keeps an agent registered in any store of entries: one keeper, and what a store has to do for it. */
package io.dubbomesh.registry.keep;
