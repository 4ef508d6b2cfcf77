/**
 * What all parts of the protocols share: the name of a method, outcomes and problem documents, attachments, exceptions.
 */
package io.dubbomesh.protocol;
