/** The common parts of the protocols: the name of a method, outcomes and problem documents, attachments, exceptions. */
package io.dubbomesh.protocol;
