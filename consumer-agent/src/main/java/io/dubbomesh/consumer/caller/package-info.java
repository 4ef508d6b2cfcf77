/** Which applications call through the agent, for operators. Bounded, however many names clients invent. */
package io.dubbomesh.consumer.caller;
