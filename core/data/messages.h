// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what goes wrong when data sets are found, fetched, read, checked and distributed. See
// core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(
    cannotDownloadTo,
    "cannot write '%1': %2. Check that the folder may be written to and the disk has room, or name another folder.");

LAB_TEXT(fileInTheWay, "'%1' is in the way: %2 Move it away, then fetch again.");
LAB_TEXT(fetchedElsewhere,
         "another StrategyLab is fetching '%1'. Wait until it has ended, then fetch again, or name another folder.");
LAB_TEXT(cannotFetch,
         "cannot fetch %1 of %2:%3\nCheck the network connection and fetch it again; it continues where it stopped.");
LAB_TEXT(cannotKeepFetched, "cannot write '%1': %2. Check the folder's permissions, or name another folder.");
LAB_TEXT(cannotMakeFolder, "cannot make the folder '%1': %2. Name a folder that may be written to.");

LAB_TEXT(gzipGoesOn, "'%1' has bytes after the end of its gzip stream. Fetch or copy the file again.");
LAB_TEXT(gzipCutShort, "'%1' is cut short: its gzip stream has no end. Fetch or copy the file again.");
LAB_TEXT(noMemoryToUnpack, "not enough memory to unpack '%1'. Close other programs and try again.");
LAB_TEXT(gzipDamaged, "'%1' is damaged: its gzip stream cannot be unpacked (%2). Fetch or copy the file again.");
LAB_TEXT(gzipTooLarge,
         "'%1' unpacks to more than %2, more than any valid file of its kind. Fetch or copy the right file.");

LAB_TEXT(notIdx, "'%1' is not a valid IDX file of %2: %3 Fetch or copy the file again.");
LAB_TEXT(idxShorterThanHeader, "it is shorter than its header.");
LAB_TEXT(noExamplesInFile, "it holds no examples.");
LAB_TEXT(tooManyExamples, "its header says %1 examples, but at most %2 can be read.");
LAB_TEXT(otherImageSize, "its images are %1×%2, but only 28×28 can be read.");
LAB_TEXT(fewerBytesThanExamples, "its header says %1 examples, but it has bytes for only %2.");
LAB_TEXT(bytesFollow, "more bytes follow the %1 examples that its header announces.");
LAB_TEXT(badLabel, "label %1 is %2, not one of 0 to 9.");
LAB_TEXT(unequalCounts, "'%1' holds %2 images and '%3' holds %4 labels. Put two files of one set there.");

LAB_TEXT(notNpz, "'%1' is not a valid mnist.npz: %2 Fetch or copy the file again.");
LAB_TEXT(notZip, "it cannot be opened as a zip file (%1).");
LAB_TEXT(noArray, "it has no array %1.");
LAB_TEXT(arrayUnreadable, "%1 cannot be read (%2).");
LAB_TEXT(arrayType, "%1 has elements of type '%2' instead of %3");
LAB_TEXT(arrayOrder, "%1 is not in C order.");
LAB_TEXT(arrayShape, "%1 does not have the shape %2");
LAB_TEXT(arrayExamples, "%1 has %2 examples instead of 1 to %3.");
LAB_TEXT(arrayDamaged, "%1 is damaged (%2).");
LAB_TEXT(arrayShorterThanHeader, "%1 is shorter than its header.");
LAB_TEXT(notNpy, "%1 is not an .npy array of version 1 to 3.");
LAB_TEXT(arrayHeaderBytes, "%1 has a header of %2 bytes.");
LAB_TEXT(arrayHeaderUnreadable, "%1 has a header that cannot be read.");
LAB_TEXT(arrayShorterThanShape, "%1 is shorter than its shape says.");
LAB_TEXT(arrayLongerThanShape, "%1 is longer than its shape says.");
LAB_TEXT(arrayLabel, "%1 has a label that is not one of 0 to 9, at %2.");

LAB_TEXT(
    noStepInInput,
    "epoch %2 has no step %1, since an epoch has %3 steps: continue with the data and batch settings that were saved");
LAB_TEXT(noTrainingExamples, "there are no training examples: use at least 1");
LAB_TEXT(badShuffleBuffer, "the shuffle buffer is %1: use 0 for file order, or the number of examples to draw from");
LAB_TEXT(badWorkerBatch, "the batch of a worker is %1: use 1 or more");

LAB_TEXT(whichToTrain,
         "'%1' and '%2' have the same number of %3, so it is unclear which ones are for training. Put 'train' and "
         "'test' into the file names.");
LAB_TEXT(folderLacksFiles,
         "'%1' lacks %2 (with or without .gz). A data set is four IDX files: training images and labels, test images "
         "and labels. If the files have other names, give all four.");
LAB_TEXT(otherNumberOfFiles,
         "these are %1 files. A data set is four IDX files: training images and labels, test images and labels. Give "
         "these four, or a folder with them.");
LAB_TEXT(otherNumberOfKinds,
         "%1 of these files hold images and %2 hold labels. A data set is four IDX files: training images and labels, "
         "test images and labels.");
LAB_TEXT(cannotMakeHomeFolder, "cannot make the folder '%1': %2. Check the permissions of your home folder.");

LAB_TEXT(tooManyReplicasForExamples, "%1 replicas are too many to distribute examples to: use at most %2");
LAB_TEXT(
    hostsDoNotDivideReplicas,
    "%1 replicas cannot be shared equally by %2 hosts: choose a number of hosts that divides the number of replicas");
LAB_TEXT(autoShardNeedsFiles,
         "%1 file needs examples that are read from files where there are several hosts, and %2 in-memory reads none "
         "(TensorFlow: NotFoundError): use %2 file, or %1 data");
LAB_TEXT(tooFewFiles,
         "the examples are stored in %1 file(s), too few for %2 hosts to read different ones (TensorFlow: "
         "InvalidArgumentError): use %3 %2 or more, or %4 data");

LAB_TEXT(notAFolder, "'%1' is not a folder. Name the folder that holds the data set.");

LAB_TEXT(dataDirForDigits,
         "%1 '%2' has no meaning for digits: these are built into the program. Leave it out, or choose mnist.");
LAB_TEXT(pictureOfOtherKind, "It is neither a PNG nor a JPEG file.");
LAB_TEXT(pictureDamaged, "It is damaged or cut short (%1).");
LAB_TEXT(pictureTooLarge, "It has %1×%2 pixels, more than can be read here.");
LAB_TEXT(pictureInNoClass, "The file lies beside the class folders, not in one of them.");
LAB_TEXT(pictureNoFile, "Folders inside a class folder are not read.");
LAB_TEXT(pictureNotThere, "It is a broken link, or not a regular file.");
LAB_TEXT(folderWithoutPictures, "No picture in it can be read.");
LAB_TEXT(noPictures,
         "'%1' has no pictures. Put the PNG or JPEG files of each class into a folder of its own within it, two to %2 "
         "folders.");
LAB_TEXT(oneClassOfPictures,
         "'%1' has pictures of one class only, '%2', but training needs at least two classes. Put pictures of another "
         "class into a second folder.");
LAB_TEXT(tooManyPictureClasses,
         "'%1' has pictures of %2 classes, but networks here tell at most %3 apart. Remove some folders.");
LAB_TEXT(tooManyPictures, "'%1' has %2 files, but at most %3 can be read. Remove some.");
LAB_TEXT(picturesTooLarge,
         "'%1' has %2 files. As pictures of the size that this network receives, they need %3, but this computer can "
         "give %4. Remove some, or use a network that receives smaller pictures.");
LAB_TEXT(tooFewPictures,
         "of the pictures in '%1', %2 are for training and %3 for testing (one in five, chosen by its bytes), but each "
         "needs at least one. Add pictures.");
LAB_TEXT(notCifarRecords,
         "'%1' has %2 bytes, which is not a whole number of records of %3 bytes, as in the files of CIFAR-10's binary "
         "version. Fetch or copy the file again.");
LAB_TEXT(tooManyCifarRecords, "with '%1' there are %2 examples, but at most %3 can be read. Leave some files out.");
LAB_TEXT(badCifarLabel,
         "'%1': the label of record %2 is %3, not one of 0 to 9. The file is not one of CIFAR-10's binary version, or "
         "it is damaged: fetch or copy it again.");
LAB_TEXT(
    cifarLacks,
    "'%1' lacks %2. CIFAR-10 is data_batch_1 to data_batch_5 and test_batch, all with .bin (the binary version) or "
    "all without (the Python version): put all of them there.");
LAB_TEXT(cifarNotHere,
         "cifar10 is not on this machine. Looked in:%1\nRun 'strategylab-cli data fetch cifar10', or name the folder "
         "that holds it with --data-dir.");
LAB_TEXT(notPickledBatch,
         "'%1' is not a batch of the published Python version of CIFAR-10: %2 Fetch or copy the file again.");
LAB_TEXT(pickleEnds, "it ends too early.");
LAB_TEXT(pickleOperation, "at byte %1 it has an operation that no such file has.");
LAB_TEXT(pickleName, "it calls '%1 %2', but programs in files are not run.");
LAB_TEXT(pickleTooMuch, "it has more values than any such file.");
LAB_TEXT(pickleNoDict, "it does not hold a dict.");
LAB_TEXT(pickleNoData, "its 'data' are not 3,072 bytes per image.");
LAB_TEXT(pickleNoLabels, "it does not have as many 'labels' as images.");
LAB_TEXT(tarDamaged, "'%1' is damaged: it is not a complete tar archive. Fetch or copy the file again.");
LAB_TEXT(archiveLacks, "'%1' lacks %2. Fetch it again.");
LAB_TEXT(dataSet, "data set");
LAB_TEXT(datasetNotHere,
         "%1 is not on this machine. Looked in:%2\nRun 'strategylab-cli data fetch %1', or name the folder that holds "
         "it with --data-dir.");
LAB_TEXT(folderLacksDataset,
         "'%1' does not hold %2. Wanted: %3 (with or without .gz). Looked in:%4\nRun 'strategylab-cli data fetch %2', "
         "or name the folder that holds it with --data-dir.");
LAB_TEXT(folderLacksMnist,
         "'%1' does not hold %2. Wanted: %3 (with or without .gz) or mnist.npz. Looked in:%4\nRun 'strategylab-cli "
         "data fetch %2', or name the folder that holds it with --data-dir.");
LAB_TEXT(folderHoldsPictures,
         "'%1' does not hold %2, but folders of pictures. Use --dataset colour to train with these.");
LAB_TEXT(looked, "\n  %1");
LAB_TEXT(lookedHolds, "\n  %1 (holds %2)");
LAB_TEXT(lookedLacks, "\n  %1 (lacks %2)");
LAB_TEXT(lookedNoFolder, "\n  %1 (no such folder)");
LAB_TEXT(
    trainExamplesLacking,
    "%1 %2 is too many: %3 has %4 training examples. Give a number from 1 to %5, or leave the option out for all.");
LAB_TEXT(testExamplesLacking,
         "%1 %2 is too many: %3 has %4 test examples. Give a number from 1 to %5, or leave the option out for all.");

LAB_TEXT(downloadTooLarge, "it is larger than this file can be (%1)");
LAB_TEXT(otherPart, "the server sent a different part of the file from the one requested");
LAB_TEXT(webPageCame, "a web page came in place of the file: open a browser and sign in to this network");
LAB_TEXT(serverAnswered, "the server answered %1");
LAB_TEXT(nothingArrived, "nothing arrived for %1 s");
LAB_TEXT(builtWithoutDownloads, "this program was built without downloads");

LAB_TEXT(mirrorFailed, "\n  %1: %2");
LAB_TEXT(fileEmpty, "it is empty");
LAB_TEXT(fileOfThatName, "there is a file of that name");

LAB_TEXT(images, "images");
LAB_TEXT(labels, "labels");
LAB_TEXT(holdsImages, "it holds images.");
LAB_TEXT(holdsLabels, "it holds labels.");
LAB_TEXT(otherMagic, "it starts with %1 instead of %2.");

LAB_TEXT(noGlobalBatch, "the global batch is %1: use 1 or more");
LAB_TEXT(noReplicas, "the number of replicas is %1: use 1 or more");
LAB_TEXT(noHosts, "the number of hosts is %1: use 1 or more");
LAB_TEXT(noFiles, "the number of files is %1: use 1 or more");

LAB_TEXT(otherMd5, "its MD5 is %1, and the published file's is %2.");
LAB_TEXT(otherSha256, "its content's SHA-256 is %1, and the published file's is %2.");
LAB_TEXT(notItsArchive, "it differs from the file in the archive beside it.");
LAB_TEXT(noChecksum, "no checksum of the unpacked file is published; its form is right.");
LAB_TEXT(otherSize, "it has %1 bytes instead of %2.");
LAB_TEXT(notMnists, "its %1 are not MNIST's.");
LAB_TEXT(fileNotThere, "it is missing.");

}  // namespace lab::say
