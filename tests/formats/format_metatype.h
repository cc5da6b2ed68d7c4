// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/formats/format.h"

#include <QMetaType>

// Declared once, so that the files of a folder can be compiled together.
Q_DECLARE_METATYPE(binade::formats::Format)
