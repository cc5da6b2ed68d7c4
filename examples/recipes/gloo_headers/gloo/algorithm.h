// SPDX-License-Identifier: Apache-2.0
//
// What c10d/ProcessGroupGloo.hpp includes of gloo. LibTorch contains gloo but ships none of its headers; nothing here
// is ever instantiated, only named.
#pragma once
