/**
 * Services defined by protobuf. Owns their descriptors (from class files, from sets of descriptors) and what is between
 * the JSON of a message and its bytes. The only package that uses protobuf's own classes: what else there is knows a
 * {@link io.dubbomesh.protocol.MessageMethod}, so an agent without such a service loads none of them.
 */
package io.dubbomesh.idl;
