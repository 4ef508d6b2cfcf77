/**
 * What every module stands on: back-off, host:port, and escaping for logs and messages. Uses no other package of ours.
 */
package io.dubbomesh.runtime;
