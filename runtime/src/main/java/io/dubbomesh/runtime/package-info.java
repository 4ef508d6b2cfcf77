/** Back-off, host:port, and escaping for logs and messages, for every module. Uses no other package of ours. */
package io.dubbomesh.runtime;
