/** Which applications call through the agent, for operators. Bounded, whatever clients say of themselves. */
package io.dubbomesh.consumer.caller;
