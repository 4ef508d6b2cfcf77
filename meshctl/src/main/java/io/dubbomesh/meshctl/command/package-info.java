/** The commands of meshctl, one class each. */
package io.dubbomesh.meshctl.command;
