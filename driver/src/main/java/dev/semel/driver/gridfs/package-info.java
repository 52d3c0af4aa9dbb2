/**
 * Files in a database, cut into chunks, with the names of the official driver. Uses nothing of the driver but what any
 * application can. Start at {@link dev.semel.driver.gridfs.GridFSBucket}.
 */
@NullMarked
package dev.semel.driver.gridfs;

import org.jspecify.annotations.NullMarked;
