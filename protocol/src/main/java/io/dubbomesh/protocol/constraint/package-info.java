/** Constraints of Bean Validation on arguments, as annotations in class files state them. */
package io.dubbomesh.protocol.constraint;
