/** The endpoints of a large service that one agent calls, and how agents share the load of those. */
package io.dubbomesh.loadbalance.subset;
