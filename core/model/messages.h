// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with files of tensors. See core/base/message.h.
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
LAB_TEXT(otherDtype, "has a tensor '%1' of dtype %2, and only F32 is read here");
LAB_TEXT(shapeNoList, "has a tensor '%1' whose shape is not a list of at most 16 extents");
LAB_TEXT(shapeNoNumbers, "has a tensor '%1' whose shape is not a list of whole numbers, or is too large");
LAB_TEXT(offsetsNoPair, "has a tensor '%1' whose data_offsets are not two ascending whole numbers");
LAB_TEXT(otherTensorBytes, "has a tensor '%1' of %2 bytes by its shape and %3 by its offsets");
LAB_TEXT(tensorAtOtherByte, "has a tensor '%1' at byte %2 of the data where byte %3 comes next");
LAB_TEXT(otherDataBytes, "holds %1 bytes of data where its header speaks of %2");
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
LAB_TEXT(inHeader, "'%1', header");

}  // namespace lab::say
