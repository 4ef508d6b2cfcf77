/** The wire format of protobuf: messages written and read by hand, field by field. */
package io.dubbomesh.runtime.protobuf;
