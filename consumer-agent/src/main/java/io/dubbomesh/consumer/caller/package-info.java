/**
 * The applications that call through the agent, for operators: a bounded number of them, since clients choose their
 * names.
 */
package io.dubbomesh.consumer.caller;
