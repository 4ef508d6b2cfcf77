/** Finding and comparing bytes in place: eight at a time, tokens, percent-encoding. */
package io.dubbomesh.consumer.text;
