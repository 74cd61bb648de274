//! The sentences of refused launches in Vietnamese, apart from `src/lti/refusal.rs` because they are many.

use domain::lti::claims::LaunchFault;

use super::refusal::LaunchRefusal;
use super::verify::TokenFault;

/// The sentence of a refusal.
pub(super) fn vietnamese_of(refusal: LaunchRefusal) -> String {
    use LaunchRefusal as Why;
    let sentence = match refusal {
        Why::Incomplete(field) => return format!("Nền tảng học tập gửi yêu cầu đăng nhập chưa đủ: thiếu {field}."),
        Why::Token(fault) => of_token(fault),
        Why::Fault(fault) => of_fault(fault),
        Why::UnknownPlatform => {
            "Nền tảng học tập này chưa được kết nối với Exam Hall: quản trị viên của Exam Hall có thể kết nối."
        }
        Why::PendingPlatform => {
            "Nền tảng học tập này đang chờ quản trị viên của Exam Hall chấp thuận: hãy quay lại sau."
        }
        Why::BlockedPlatform => "Quản trị viên của Exam Hall đã chặn nền tảng học tập này.",
        Why::PendingDeployment => {
            "Nơi cài Exam Hall trong nền tảng học tập này đang chờ quản trị viên của Exam Hall chấp thuận: hãy quay lại sau."
        }
        Why::PlatformFailed(_) => {
            "Nền tảng học tập không đăng nhập được cho bạn: hãy đăng nhập ở đó rồi mở lại liên kết."
        }
        Why::Expired => {
            "Lần mở này đã hết hạn, hoặc được bắt đầu trong một trình duyệt khác: hãy mở lại liên kết trong khóa học."
        }
        Why::NoCookies => {
            "Trình duyệt này không giữ cookie cho Exam Hall nên không thể biết chắc ai đang vào: hãy cho phép cookie rồi mở lại liên kết trong khóa học."
        }
        Why::Used => "Lần mở này đã được dùng rồi: hãy mở lại liên kết trong khóa học.",
        Why::KeysUnreachable => {
            "Hiện Exam Hall không liên lạc được với nền tảng học tập: hãy mở lại liên kết sau một phút."
        }
        Why::ForeignTarget => "Liên kết này dẫn đến một máy chủ khác: hãy hỏi người quản lý nền tảng học tập.",
        Why::NotPlaced => "Liên kết này chưa dẫn đến bài thi nào: hãy hỏi giáo viên của bạn.",
        Why::NotGiven => {
            "Liên kết này không dẫn đến bài thi nào đã được giao cho nền tảng học tập của bạn: hãy sửa liên kết trong khóa học để chọn, hoặc hỏi quản trị viên của Exam Hall."
        }
        Why::NotConfirmed => {
            "Liên kết này được sao chép từ một khóa học khác và giáo viên của bạn chưa xác nhận bài thi: hãy nhờ giáo viên mở liên kết."
        }
        Why::LinkRemoved => {
            "Liên kết này đã bị gỡ trong Exam Hall và từ đó giáo viên của bạn chưa xác nhận bài thi: hãy nhờ giáo viên mở liên kết."
        }
        Why::Gone => "Bài thi của liên kết này đã bị xóa: hãy hỏi giáo viên của bạn.",
        Why::NoRole => {
            "Bài thi dành cho học sinh và giáo viên của khóa học, mà nền tảng học tập không cho biết bạn là ai trong số đó."
        }
        Why::NoRights => {
            "Giáo viên của nền tảng học tập này chưa có quyền đối với các khối của bài thi: quản trị viên của Exam Hall có thể cấp quyền."
        }
        Why::OnlyChooses => {
            "Giáo viên của nền tảng học tập này chỉ chọn bài thi ở đây: để xem trang này, hãy đăng nhập Exam Hall bằng tài khoản của bạn."
        }
        Why::NotOnRoster => {
            "Bạn không có trong danh sách của bài thi này: hãy hỏi giáo viên, người có thể lấy danh sách từ khóa học."
        }
        Why::TestUserAtSitting => {
            "Bài thi này chỉ dành cho những người có trong danh sách, mà học sinh thử thì không có tên: hãy xem với tư cách giáo viên."
        }
        Why::EntryClosed => "Đã hết giờ vào phòng thi: hãy hỏi giáo viên của bạn.",
        Why::NotOpen => "Bài kiểm tra này chưa mở.",
        Why::Closed => "Bài kiểm tra này đã đóng.",
        Why::NoAttemptsLeft => "Bạn đã hết lượt làm bài kiểm tra này.",
        Why::TooMany => "Có quá nhiều yêu cầu cùng lúc: hãy thử lại sau một phút.",
        Why::ChoiceIsForStaff => {
            "Chỉ giáo viên mới chọn được bài thi, mà nền tảng học tập không cho biết bạn là giáo viên."
        }
        Why::TakesNoLinks => "Chỗ này của nền tảng học tập không nhận liên kết đến bài thi.",
        Why::NothingHandedIn => "Người này chưa nộp bài nào ở đây.",
        Why::TicketOld => "Trang này đã mở quá lâu: hãy mở lại liên kết trong khóa học.",
        Why::Unavailable => "Hiện Exam Hall không phục vụ được: hãy mở lại liên kết sau một phút.",
        Why::ReadOnly => "Exam Hall đang bảo trì nên hiện không lưu được gì: hãy mở lại liên kết sau.",
        Why::Internal => "Exam Hall gặp lỗi: hãy mở lại liên kết trong khóa học.",
    };
    sentence.to_owned()
}

fn of_token(fault: TokenFault) -> &'static str {
    match fault {
        TokenFault::Unreadable => "Nền tảng học tập không gửi thông điệp nào đọc được.",
        TokenFault::NoKeyId => "Thông điệp của nền tảng học tập không nêu khóa đã dùng để ký.",
        TokenFault::UnknownKey => "Thông điệp được ký bằng một khóa mà nền tảng học tập không công bố.",
        TokenFault::Algorithm => "Thông điệp của nền tảng học tập không được ký đúng cách.",
        TokenFault::Signature => "Chữ ký trên thông điệp của nền tảng học tập không đúng.",
        TokenFault::Issuer => "Thông điệp này đến từ một nền tảng khác.",
        TokenFault::Audience => "Thông điệp này của nền tảng học tập dành cho một công cụ khác.",
        TokenFault::Expired => "Thông điệp của nền tảng học tập đã hết hạn: hãy mở lại liên kết.",
        TokenFault::Nonce => "Thông điệp của nền tảng học tập không thuộc về lần đăng nhập này: hãy mở lại liên kết.",
        TokenFault::Claims(fault) => of_fault(fault),
    }
}

fn of_fault(fault: LaunchFault) -> &'static str {
    match fault {
        LaunchFault::NoLaunch => "Nền tảng học tập không gửi nội dung nào để mở.",
        LaunchFault::Version => "Nền tảng học tập dùng một phiên bản LTI khác 1.3.0.",
        LaunchFault::MessageType => "Nền tảng học tập gửi một loại thông điệp mà máy chủ này không biết.",
        LaunchFault::DeploymentId => "Nền tảng học tập không cho biết đây là nơi cài nào.",
        LaunchFault::TargetLinkUri => "Nền tảng học tập không cho biết cần mở gì.",
        LaunchFault::Roles => "Nền tảng học tập không cho biết bạn là ai trong khóa học.",
        LaunchFault::ResourceLink => "Nền tảng học tập không cho biết liên kết nào đã được mở.",
        LaunchFault::Anonymous => "Nền tảng học tập không cho biết bạn là ai: hãy đăng nhập ở đó rồi mở lại liên kết.",
        LaunchFault::DeepLinkingSettings => "Nền tảng học tập không cho biết lựa chọn cần gửi về đâu.",
        LaunchFault::ForUser => "Nền tảng học tập không cho biết cần xem bài của ai.",
        LaunchFault::AuthorizedParty => "Thông điệp này của nền tảng học tập dành cho một công cụ khác.",
        LaunchFault::IssuedAt => {
            "Thông điệp của nền tảng học tập đã quá cũ, hoặc đồng hồ của nó sai: hãy mở lại liên kết."
        }
        LaunchFault::Nonce => "Thông điệp của nền tảng học tập không có dấu cho biết nó là mới.",
    }
}
