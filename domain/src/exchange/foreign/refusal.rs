//! Why a question of another system is refused, in words for whoever wrote it there.

use thiserror::Error;

use crate::exchange::RowErrors;

/// Why a question of another system is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A field breaks a rule of all questions.
    #[error("{0}")]
    Fields(RowErrors),
    /// It has another number of options than it should.
    #[error("it has {found} options, but {wanted} are needed{}", fewer(.found))]
    Options {
        /// How many it has.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
    /// No option gives points.
    #[error("no option is right")]
    NoRight,
    /// The only option that gives points does not give all of them.
    #[error("its best option gives only {0} % of the points")]
    PartlyRight(String),
    /// Several options give points.
    #[error("{0} options give points: only one may be right")]
    SeveralRight(usize),
    /// Several options may be chosen.
    #[error("several options may be chosen")]
    SeveralChosen,
    /// It is another kind of question.
    #[error("it is no multiple choice: {0}")]
    Kind(String),
    /// Neither the question nor the import says the grade.
    #[error("grade required: choose one for the import, or give it a tag such as grade:5")]
    NoGrade,
    /// Neither the question nor the import says the difficulty.
    #[error("difficulty required: choose one for the import, or give it a tag such as difficulty:3")]
    NoDifficulty,
    /// A tag has a value that it can't have.
    #[error("tag {0}: {1}")]
    Tag(String, &'static str),
    /// Two tags say different things.
    #[error("it has several tags {0}")]
    TagTwice(&'static str),
    /// Its id is longer than ids are.
    #[error("id is longer than {0} characters")]
    LongId(usize),
    /// Its id has control characters.
    #[error("id has control characters")]
    ControlInId,
    /// An option has a picture.
    #[error("option {0} has a picture: only the question may have one")]
    PictureInOption(&'static str),
    /// Another text has a picture.
    #[error("the {0} has a picture: only the question may have one")]
    PictureElsewhere(&'static str),
    /// There is more than one picture.
    #[error("it has more than one picture")]
    SecondPicture,
    /// The picture is larger than a question may keep.
    #[error("the picture has {0} bytes: a question keeps about {1}")]
    LargePicture(usize, usize),
    /// The address of the picture is none that is kept.
    #[error("the picture has an address that is not kept: only https addresses and pictures in the file are")]
    PictureAddress,
    /// The file does not bring the picture that the text names.
    #[error("the picture {0} is not in the file")]
    MissingPicture(String),
    /// The picture is in no format that is kept.
    #[error("the picture is no PNG, JPEG, GIF, WebP or SVG")]
    PictureFormat,
    /// The picture is broken, or more than is kept; this says what it is.
    #[error("the picture {0}")]
    Picture(&'static str),
    /// The text has something that no question here can show.
    #[error("it has {0}, which a question here can't show")]
    Unshowable(String),
    /// A formula can't be read.
    #[error("the formula can't be read: {0}")]
    Formula(String),
    /// The text is nested deeper, or longer, than is read.
    #[error("its text is too long or nested too deeply")]
    TooLarge,
    /// The file names something in XML that is not expanded.
    #[error("the entity &{0}; is not expanded")]
    XmlEntity(String),
    /// What only one format knows.
    #[error("{0}")]
    Other(String),
}

impl From<RowErrors> for Refusal {
    fn from(errors: RowErrors) -> Self {
        Self::Fields(errors)
    }
}

/// What else helps a question that has too few options.
const fn fewer(found: &usize) -> &'static str {
    match *found {
        2 => " (or the tag options:2)",
        3 => " (or the tag options:3)",
        _ => "",
    }
}
