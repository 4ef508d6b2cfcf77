/** The types of a service's methods, as its provider tells them, and how values of them are written. */
package io.dubbomesh.protocol.type;
