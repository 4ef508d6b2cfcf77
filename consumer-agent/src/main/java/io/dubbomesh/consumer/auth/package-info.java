/** Who calls, and what each caller may call: tokens, keys, rules. */
package io.dubbomesh.consumer.auth;
