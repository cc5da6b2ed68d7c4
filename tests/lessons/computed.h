// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace binade::test {

/// A figure computed from parameters as a lesson writes them. Ends the test program for an unknown kind, parameter or
/// value.
lessons::FigureData computed(std::string_view kind,
                             std::initializer_list<std::pair<std::string_view, std::string_view>> parameters = {},
                             std::optional<double> slider = {});

/// Value of a fact. Ends the test program if there is none.
double fact(const lessons::FigureData& data, std::string_view name);
std::string fact_text(const lessons::FigureData& data, std::string_view name);

}  // namespace binade::test
