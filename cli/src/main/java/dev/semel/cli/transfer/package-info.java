/**
 * Documents in and out of files: what {@code import} and {@code export} do, without their command lines. Works on any
 * server of the protocol, through the official driver. Start with {@link dev.semel.cli.transfer.Importer}.
 */
@NullMarked
package dev.semel.cli.transfer;

import org.jspecify.annotations.NullMarked;
