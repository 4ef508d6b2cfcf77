/** The checks of {@code meshctl doctor}, and the remedies that it names. */
package io.dubbomesh.meshctl.doctor;
