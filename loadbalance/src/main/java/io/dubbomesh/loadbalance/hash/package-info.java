/** Owners of keys: which endpoint a key belongs to, the same in every process. */
package io.dubbomesh.loadbalance.hash;
