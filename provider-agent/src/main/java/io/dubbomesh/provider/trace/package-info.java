/** The two spans of a call at a provider agent: that of its request, and that of the Dubbo request that it becomes. */
package io.dubbomesh.provider.trace;
