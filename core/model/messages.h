// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what is wrong with files of tensors. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(tooShortForTensors, "is too short for a safetensors file");
LAB_TEXT(tensorHeaderBytes, "begins with a header of %1 bytes; at most 1 MiB is accepted");
LAB_TEXT(endsInHeader, "ends inside its header");
LAB_TEXT(headerWithoutBrace, "has a header that does not begin with '{'");
LAB_TEXT(metadataNoObject, "has a __metadata__ that is not an object");
LAB_TEXT(metadataNoString, "has a __metadata__ entry '%1' that is not a string");
LAB_TEXT(tensorNoObject, "has a tensor '%1' that is not described by an object");
LAB_TEXT(tensorNotDescribed, "has a tensor '%1' whose description is not dtype, shape and data_offsets");
LAB_TEXT(dtypeNoString, "has a tensor '%1' whose dtype is not a string");
LAB_TEXT(otherDtype, "has a tensor '%1' of dtype %2, but only F32 can be read here");
LAB_TEXT(shapeNoList, "has a tensor '%1' whose shape is not a list of at most 16 extents");
LAB_TEXT(shapeNoNumbers, "has a tensor '%1' whose shape is not a list of whole numbers, or is too large");
LAB_TEXT(offsetsNoPair, "has a tensor '%1' whose data_offsets are not two ascending whole numbers");
LAB_TEXT(otherTensorBytes, "has a tensor '%1' of %2 bytes by its shape and %3 by its offsets");
LAB_TEXT(tensorAtOtherByte, "has a tensor '%1' at byte %2 of the data, but byte %3 comes next");
LAB_TEXT(otherDataBytes, "holds %1 bytes of data, but its header says %2");
LAB_TEXT(notTensors, "'%1' %2. The file is damaged or of another kind; name a whole safetensors file of F32 tensors.");
LAB_TEXT(lacksTensor, "'%1' has no tensor '%2' of shape %3. Name a file with the weights of this network.");
LAB_TEXT(
    otherTensorShape,
    "'%1' has a tensor '%2' of shape %3 where this network's is %4. Name a file with the weights of this network.");
LAB_TEXT(tensorNotFinite,
         "'%1' has a tensor '%2' whose element %3 is not a finite number. Name a file of weights from a run that did "
         "not diverge.");
LAB_TEXT(strangeTensor,
         "'%1' has a tensor '%2' that this network does not have. Name a file with the weights of this network.");

// Networks
LAB_TEXT(layerSize, "the layer '%1' (%2) has %3=%4. Use %5 to %6.");
LAB_TEXT(layerWantsImage,
         "the layer '%1' (%2) takes an image of the shape (height, width, channels) but receives %3. Put it before "
         "Flatten.");
LAB_TEXT(layerWantsList,
         "the layer '%1' (%2) takes a list of numbers but receives the shape %3. Put a Flatten before it.");
LAB_TEXT(windowTooLarge,
         "the window %3 of the layer '%1' (%2) does not fit into %4. Make it smaller, or use padding='same'.");
LAB_TEXT(inputOtherwise,
         "the network receives examples of the shape %1. Use (height, width, channels) or a list of numbers, each "
         "extent from 1 to %2.");
LAB_TEXT(tooManyLayers, "the network has %1 layers, but at most %2 can be computed here. Leave some out.");
LAB_TEXT(
    tooManyInputs,
    "up to the layer '%1' (%2) the layers receive more than %3 outputs in all. Connect fewer layers to each other.");
LAB_TEXT(networkTooLarge,
         "up to the layer '%1' (%2) the network has more than %3 parameters, or more than that many values per "
         "example. Use fewer units or filters.");
LAB_TEXT(softmaxInside,
         "the layer '%1' is a softmax in the middle of the network. Here a softmax is computed only at the end: leave "
         "this one out.");
LAB_TEXT(layerReadsOne, "the layer '%1' (%2) receives the outputs of %3 layers. Give it one.");
LAB_TEXT(layerReadsMany, "the layer '%1' (%2) receives the outputs of %3 layers. Give it two or more.");
LAB_TEXT(layerReadsLater,
         "the layer '%1' reads from a layer that comes after it. Put it after all layers that it reads.");
LAB_TEXT(layerUnread,
         "nothing reads the output of the layer '%1', and it is not the last layer. Connect it to the network's "
         "output, or leave it out.");
LAB_TEXT(shapesDiffer,
         "the layer '%1' (%2) receives the shapes %3 and %4, which do not fit together. Give it outputs of one size.");
LAB_TEXT(nothingToTrain, "the network has no variables that could be trained. Add a Dense or a Conv2D layer.");
LAB_TEXT(endsOtherwise,
         "the last layer, '%1', gives the shape %2 for an example. It must give one value for each class, at least 2.");
LAB_TEXT(groupsDoNotDivide,
         "the layer '%1' has %2 groups, which do not divide its %3 input channels and %4 filters. Choose another "
         "number.");
LAB_TEXT(networkNotTrained, "the network '%1' cannot be trained here: %2. Choose another network.");
LAB_TEXT(tooManyOutputs, "it gives %1 values for an example, and at most %2 classes can be trained");
LAB_TEXT(groupsAreTimed, "its layer '%1' has %2 groups, and only convolutions of one group can be trained");

LAB_TEXT(networkLineUnreadable,
         "line %1 of the network's description cannot be read: '%2'. Use one that this version of the program has "
         "written.");

LAB_TEXT(notKerasModel,
         "'%1' has no '%2', which a Keras model has. Name a file that model.save() or model.to_json() has written.");
LAB_TEXT(neitherSequential,
         "'%1' holds a model of the kind %2, but only Sequential and Functional models are computed here. Name another "
         "file.");
LAB_TEXT(
    severalOutputs,
    "'%1' holds a model with several outputs, or whose last layer is not its output. Leave one output, of the last "
    "layer, and write the model again.");
LAB_TEXT(
    noInputShape,
    "'%1' does not say what its first layer receives. Begin the model with keras.Input(shape), then write it again.");
LAB_TEXT(notKerasLayer, "in '%1', layer number %2 is not a class_name with its config. Write the model again.");
LAB_TEXT(layerNotComputed,
         "'%1', layer %2, '%3' (%4): %5 Change the layer, or leave it out, and write the model again.");
LAB_TEXT(kindNotComputed,
         "layers of this kind are not computed here. There are Conv2D, DepthwiseConv2D, Dense, MaxPooling2D, "
         "AveragePooling2D, GlobalMaxPooling2D, GlobalAveragePooling2D, ZeroPadding2D, Flatten, Add, Concatenate, "
         "Dropout, BatchNormalization, LayerNormalization, ReLU, LeakyReLU, Activation and Softmax, and Rescaling in "
         "front.");
LAB_TEXT(classNotKeras, "its class is from the module %1, not from Keras, and is not computed here.");
LAB_TEXT(calledOtherwise,
         "it is called more than once, or not with the outputs of other layers; that is not computed here.");
LAB_TEXT(readsUnknown, "it reads %1, which is not a layer before it.");
LAB_TEXT(settingNotComputed, "its %1 is %2, which is not computed here.");
LAB_TEXT(settingUnreadable, "its %1 is missing.");
LAB_TEXT(networkOfFile, "'%1': %2");
LAB_TEXT(inputInside, "an input in the middle of the network is not computed here.");

LAB_TEXT(otherDtypeOfLayer, "its dtype is %1, but only float32 is computed here.");
LAB_TEXT(rescalingOtherwise,
         "it is computed here only once, in front of all others, with the scale 1/255 and the offset 0, since examples "
         "are always rescaled that way.");

LAB_TEXT(notKerasFile,
         "'%1' is not a .keras file that can be read: %2 Save the model again with model.save('NAME.keras').");
LAB_TEXT(olderKeras,
         "'%1' is %2, which is neither read nor written here. Use a .keras file: Keras writes one with "
         "model.save('NAME.keras'), and opens those that are written here.");
LAB_TEXT(hdf5Form, "an HDF5 file");
LAB_TEXT(savedModelForm, "a SavedModel");
LAB_TEXT(kerasNotZip, "it cannot be opened as a zip file (%1).");
LAB_TEXT(kerasLacksPart, "it has no %1.");
LAB_TEXT(kerasPartUnreadable, "its %1 cannot be read (%2).");
LAB_TEXT(kerasPartTooLarge, "its %1 is larger than %2.");
LAB_TEXT(kerasWeightsTooLarge, "its %1 is larger than %2, more than the weights of the chosen network can take.");
LAB_TEXT(weightsNoHdf5, "its weights are not an HDF5 file, or the file is damaged.");
LAB_TEXT(weightsNoLayers, "its weights have no group 'layers', as Keras 3 writes it.");
LAB_TEXT(weightsTooMuch, "its weights need more memory than allowed.");
LAB_TEXT(weightsForeign, "its weights point to other files, which are not read.");
LAB_TEXT(weightsUnreadable, "HDF5's library cannot read its weights.");
LAB_TEXT(weightsCrashed, "HDF5's library crashed while it read the weights (signal %1). It ran in a separate process.");
LAB_TEXT(weightsTooLong, "reading its weights took longer than %1 s.");
LAB_TEXT(weightsNotWritten,
         "HDF5's library could not write the weights (%1). Save them as .safetensors, or free some memory.");
LAB_TEXT(noHdf5Program,
         "'%1' is missing. It reads and writes the weights of .keras files. Install the program again, or use "
         ".safetensors.");

LAB_TEXT(inHeader, "'%1', header");

}  // namespace lab::say
